extension CommandTable {
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
    ],
    run: { try ManCommand($0.arguments, environment: $0.environment).run() })
}
