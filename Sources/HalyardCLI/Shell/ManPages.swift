struct ManPages {
  private let commands: [CommandSpec]
  private let date: String?

  /// - Parameter date: What the pages tell as their date; nil for none.
  init(_ commands: [CommandSpec], date: String?) {
    (self.commands, self.date) = (commands, date)
  }

  var all: [ManPage] { [main] + commands.map(page) + [recipes] }

  private var main: ManPage {
    var page = ManPage("halyard", section: 1, summary: HelpPage.summary, date: date)
    page.heading("SYNOPSIS")
    page.paragraph("\(Roff.bold("halyard")) \(Roff.text("COMMAND [OPTION…] [ARGUMENT…]"))")
    page.heading("DESCRIPTION")
    page.paragraph(Roff.text("Rows go to standard output, everything else to standard error."))
    page.heading("COMMANDS")
    for command in commands {
      page.item("\(Roff.bold("halyard-\(command.name)"))(1)", Roff.text(command.summary))
    }
    page.heading("OPTIONS")
    for (option, text) in HelpPage.options {
      page.item(Roff.bold(option.trimmingSpaces()), Roff.text(text))
    }
    addCommon(to: &page, variables: [])
    page.seeAlso(commands.map { ("halyard-\($0.name)", 1) } + [("halyard-recipes", 5)])
    return page
  }

  private func page(of command: CommandSpec) -> ManPage {
    var page = ManPage("halyard-\(command.name)", section: 1, summary: command.summary, date: date)
    page.heading("SYNOPSIS")
    page.paragraph(
      "\(Roff.bold("halyard \(command.name)")) \(Roff.text("[OPTION…]\(command.operands.usage)"))")
    page.heading("DESCRIPTION")
    for paragraph in command.description { page.paragraph(Roff.text(paragraph)) }
    page.heading("OPTIONS")
    for group in OptionGroup.allCases {
      let options = command.options.filter { $0.group == group }
      if options.isEmpty { continue }
      page.subheading(group.rawValue)
      for option in options { page.item(Self.term(option), Roff.text(HelpPage.explanation(of: option))) }
    }
    let notes = HelpPage(command).notes
    if !notes.isEmpty { page.subheading("Notes") }
    for note in notes { page.paragraph(Roff.text(note)) }
    page.heading("EXAMPLES")
    for (line, effect) in command.examples { page.item(Roff.bold(line), Roff.text(effect)) }
    addCommon(
      to: &page, variables: command.options.compactMap { option in option.variable.map { ($0, option) } })
    page.seeAlso([("halyard", 1)] + Self.related(command, among: commands))
    return page
  }

  private static func term(_ option: OptionSpec) -> String {
    var spellings = option.short.map { [Roff.bold("-\($0)")] } ?? []
    spellings.append(Roff.bold(option.flag))
    let value = option.placeholder.isEmpty ? "" : " \(Roff.italic(option.placeholder))"
    return spellings.joined(separator: ", ") + value + (option.negation.map { ", \(Roff.bold($0))" } ?? "")
  }

  private func addCommon(to page: inout ManPage, variables: [(name: String, option: OptionSpec)]) {
    page.heading("EXIT STATUS")
    for (code, meaning) in HelpPage.exitCodes { page.item(Roff.bold(code), Roff.text(meaning)) }
    page.heading("ENVIRONMENT")
    if variables.isEmpty {
      page.paragraph(
        Roff.text("HALYARD_NAME gives the default of many an option --name: its command's page tells."))
    }
    for (name, option) in variables {
      page.item(Roff.bold(name), Roff.text("The default of \(option.flag)."))
    }
    page.heading("FILES")
    for (path, text) in HelpPage.files { page.item(Roff.italic(path), Roff.text(text)) }
  }

  /// The pages of the commands that work with the same things.
  private static func related(
    _ command: CommandSpec, among commands: [CommandSpec]
  ) -> [(name: String, section: Int)] {
    let families = [
      CommandTable.linkCommands, CommandTable.fleetCommands, CommandTable.workerCommands,
      CommandTable.terminalCommands,
    ]
    let family = families.first { $0.contains(command) } ?? []
    let others = commands.filter { $0 != command && family.contains($0) }
    let recipes = command == CommandTable.run ? [("halyard-recipes", 5)] : []
    return others.map { ("halyard-\($0.name)", 1) } + recipes
  }

  private var recipes: ManPage {
    var page = ManPage(
      "halyard-recipes", section: 5, summary: "chains of calls for 'halyard run'", date: date)
    page.heading("DESCRIPTION")
    RecipeManual.write(to: &page)
    page.seeAlso([("halyard", 1), ("halyard-run", 1)])
    return page
  }
}
