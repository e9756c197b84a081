extension CommandTable {
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
      Example(command: "halyard config --config draft.toml", effect: "check a file"),
      Example(command: "halyard config --json", effect: "all of them, for programs"),
    ],
    run: {
      try ConfigCommand($0.arguments, environment: $0.environment, settings: .defaultFiles($0.environment))
        .run()
    })
}
