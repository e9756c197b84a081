/// What `halyard help environment` shows: every variable that changes what a command does.
enum EnvironmentPage {
  static let topic = "environment"

  private static let others = [
    ("NO_COLOR", "no colours, when it is not empty"),
    ("TERM", "no colours and no progress line, when it is dumb"),
    ("XDG_CONFIG_HOME", "where the user's settings are, else ~/.config"),
    ("XDG_CACHE_HOME", "where --cache keeps answers, else ~/.cache"),
    ("XDG_STATE_HOME", "where fleets keep their files, else ~/.local/state"),
    ("SOURCE_DATE_EPOCH", "the date of manual pages, in seconds since 1970"),
    ("NOTIFY_SOCKET, WATCHDOG_USEC, JOURNAL_STREAM", "set by systemd for its services"),
  ]

  static var rendered: String {
    var options: [String: OptionSpec] = [:]
    for option in CommandTable.commands.flatMap(\.options) {
      if let variable = option.variable, options[variable] == nil { options[variable] = option }
    }
    let own = options.sorted { $0.key < $1.key }.map { ("  \($0.key)", "\($0.value.flag)") }
    let introduction =
      "A variable stands for an option that the command line does not give; options of the command line win, and"
      + " variables win over files of settings. 'halyard COMMAND --help' says what each option does. Options that may be given"
      + " again take several values, separated by commas or spaces; HALYARD_HEADER and HALYARD_COOKIE take one a line."
    let lines =
      TextLayout.wrapped(introduction, width: HelpPage.width) + ["", "Variables of options"]
      + TextLayout.rows(own, width: HelpPage.width) + ["", "Others"]
      + TextLayout.rows(others.map { ("  \($0.0)", $0.1) }, width: HelpPage.width)
    return lines.joined(separator: "\n") + "\n"
  }
}
