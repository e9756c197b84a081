/// The commands for the shell around the program, and for its set-up.
extension CommandTable {
  static let terminalCommands = [doctor, config, completions, man]

  static let doctor = CommandSpec(
    name: "doctor",
    summary: "Check that this machine is fit to run halyard",
    description: [
      "Checks libraries, certificates, names, open files, the ledger, the fleet and the kernel's sandbox. Each is ok, a"
        + " warning or trouble, with what to do about it. Exits with 1 when there is trouble.",
      "It changes nothing, and asks no machine but the fleet's.",
    ],
    operands: .none,
    options: [FleetOption.ledger.spec, LinkOption.cacert.spec, FleetOption.json.spec] + FleetOption.link + [
      .help
    ],
    examples: [
      Example(command: "halyard doctor", effect: "for people"),
      Example(command: "halyard doctor --ledger /var/lib/halyard/jobs.db --json", effect: "for programs"),
    ])

  static let config = CommandSpec(
    name: "config",
    summary: "Show every setting, its value and where it comes from",
    description: [
      "Prints the options of one command, or of all, as TOML: the value that counts, and behind it the variable or the"
        + " file and line that gave it.",
      "Settings are read from $XDG_CONFIG_HOME/halyard/config.toml (else ~/.config) and /etc/halyard/config.toml; --config"
        + " or HALYARD_CONFIG names a file to read instead of both. An option stands in the table of its command,"
        + " '[title]' and below it 'concurrency = 64', or above all tables for every command that has it. The command"
        + " line goes before variables, these before the user's file, and that before the system's.",
      "A table such as '[hosts.\"t.co\"]', or '[hosts.\"*.example.com\"]' for all sub-domains, has settings for that host"
        + " alone, which go before any option: 'user-agent', 'headers' as a table or as an array of 'Name: value',"
        + " 'per-host', and 'delay' as in --host-delay. The most specific table that has a setting counts. Headers go to no"
        + " other host, and where a link begins with https, not over http. In a fleet, fetchers go by the first two,"
        + " the aggregator by the others.",
      "A file that other users can change is refused, and so is a setting that is unknown or wrong, with its line and"
        + " column.",
    ],
    operands: .command,
    options: [FleetOption.json.spec, .help],
    examples: [
      Example(command: "halyard config title", effect: "the settings of title"),
      Example(command: "halyard config --config draft.toml", effect: "is this file sound?"),
      Example(command: "halyard config --json", effect: "all of them, for programs"),
    ])

  static let completions = CommandSpec(
    name: "completions",
    summary: "Print a completion script for bash, zsh or fish",
    description: [
      "Prints a script that completes halyard's commands, options and their values. Options that take a file complete"
        + " files, and 'run' completes the built-in recipes."
    ],
    operands: .shell,
    options: [.help],
    examples: [
      Example(
        command: "halyard completions bash > halyard.bash", effect: "for bash: source it in ~/.bashrc"),
      Example(
        command: "halyard completions zsh > ~/.zfunc/_halyard", effect: "for zsh, in a folder of $fpath"),
      Example(
        command: "halyard completions fish > ~/.config/fish/completions/halyard.fish", effect: "for fish"),
    ])

  static let man = CommandSpec(
    name: "man",
    summary: "Write the manual pages into a directory",
    description: [
      "Writes halyard.1, a page for each command such as halyard-title.1, and halyard-recipes.5. Pages have a date only"
        + " when SOURCE_DATE_EPOCH gives one, so that two builds write the same bytes."
    ],
    operands: .directory,
    options: [.help],
    examples: [
      Example(command: "halyard man ~/.local/share/man/man1", effect: "where 'man halyard' finds them"),
      Example(command: "halyard man pages", effect: "into ./pages, which is created"),
    ])
}
