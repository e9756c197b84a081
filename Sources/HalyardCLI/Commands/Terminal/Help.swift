extension CommandTable {
  static let help = CommandSpec(
    name: "help",
    summary: "Show the help of a command",
    description: [
      "Shows what halyard can do, or the options of one command. 'halyard help environment' lists the variables that"
        + " commands read."
    ],
    operands: .command,
    options: [.help],
    examples: [
      Example(command: "halyard help title", effect: "the options of title"),
      Example(command: "halyard help environment", effect: "all variables"),
    ],
    run: { try HelpCommand($0.arguments).run() })
}
