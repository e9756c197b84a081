extension CommandTable {
  static let doctor = CommandSpec(
    name: "doctor",
    summary: "Check whether this machine can run halyard",
    description: [
      "Checks libraries, certificates, open files, the ledger, the fleet and the kernel's sandbox. Each is ok, a"
        + " warning or trouble, with what to do about it. Exits with 1 when there is trouble.",
      "It changes nothing, and asks no machine but the fleet's.",
    ],
    options: [FleetOption.ledger, LinkOption.cacert, FleetOption.json, FleetOption.link],
    examples: [
      "halyard doctor": "for people",
      "halyard doctor --ledger /var/lib/halyard/jobs.db --json": "for programs",
    ],
    run: { try await DoctorCommand(arguments: $0.arguments).run() })

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
    options: [FleetOption.json],
    examples: [
      "halyard config title": "the settings of title",
      "halyard config --config draft.toml": "check a file",
      "halyard config --json": "all of them, for programs",
    ],
    run: { try ConfigCommand.run($0.arguments) })

  static let completions = CommandSpec(
    name: "completions",
    summary: "Print a completion script for bash, zsh or fish",
    description: [
      "Prints a script that completes halyard's commands, options and their values. Options that take a file complete"
        + " files, and 'run' completes the built-in recipes."
    ],
    operands: .shell,
    examples: [
      "halyard completions bash > halyard.bash": "for bash: source it in ~/.bashrc",
      "halyard completions zsh > ~/.zfunc/_halyard": "for zsh, in a folder of $fpath",
      "halyard completions fish > ~/.config/fish/completions/halyard.fish": "for fish",
    ],
    run: { try Program.show(Shell($0.arguments).script) })

  static let man = CommandSpec(
    name: "man",
    summary: "Write the manual pages into a directory",
    description: [
      "Writes halyard.1, a page for each command such as halyard-title.1, and halyard-recipes.5. Pages have a date only"
        + " when SOURCE_DATE_EPOCH gives one, so that two builds write the same bytes."
    ],
    operands: .directory,
    examples: [
      "halyard man ~/.local/share/man/man1": "where 'man halyard' finds them",
      "halyard man pages": "into ./pages, which is created",
    ],
    run: { try ManCommand.run($0.arguments) })

  static let version = CommandSpec(
    name: "version",
    summary: "Show the version, the commit and the libraries in use",
    description: [
      "Prints the version, the commit of the sources, the Swift that compiled them, and the versions and features of the"
        + " libraries in use. Put it into bug reports. 'halyard --version --verbose' prints the same."
    ],
    options: [FleetOption.json],
    examples: [
      "halyard version": "for people",
      "halyard version --json": "for programs",
    ],
    run: { try $0.arguments.show(json: VersionReport.own.json, text: VersionReport.own.text) })

  static let help = CommandSpec(
    name: "help",
    summary: "Show the help of a command",
    description: [
      "Shows what halyard can do, or the options of one command. 'halyard help environment' lists the variables that"
        + " commands read."
    ],
    operands: .command,
    examples: [
      "halyard help title": "the options of title",
      "halyard help environment": "all variables",
    ],
    run: { try Program.show(HelpPage.text(on: $0.arguments.operands.first)) })
}
