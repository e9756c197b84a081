import Pipeline
import Posix

/// A manual page, put together from blocks.
struct ManPage {
  let name: String
  let section: Int
  private var lines: [String]

  /// - Parameter date: Such as `2026-11-22`; nil for a page that tells none.
  init(_ name: String, section: Int, summary: String, date: String?) {
    (self.name, self.section) = (name, section)
    lines = [
      #".TH "\#(Roff.text(name.uppercased()))" \#(section) "\#(Roff.text(date ?? ""))""#
        + #" "halyard \#(Roff.text(halyardVersion))" "Halyard""#,
      ".SH NAME", "\(Roff.text(name)) \\- \(Roff.text(summary))",
    ]
  }

  var fileName: String { "\(name).\(section)" }

  var rendered: String { lines.joined(separator: "\n") + "\n" }

  mutating func heading(_ text: String) { lines.append(".SH \(Roff.text(text))") }

  mutating func subheading(_ text: String) { lines.append(".SS \(Roff.text(text))") }

  /// - Parameter roff: Text that `Roff` made.
  mutating func paragraph(_ roff: String) { lines += [".PP", Roff.line(roff)] }

  /// A term, and what it is, beside or below it; both made by `Roff`.
  mutating func item(_ term: String, _ text: String) {
    lines += [".TP", Roff.line(term), Roff.line(text)]
  }

  /// Lines as they are, indented.
  mutating func example(_ text: [String]) {
    lines +=
      [".PP", ".RS 4", ".nf"] + text.map { $0.isEmpty ? "\\&" : Roff.line(Roff.text($0)) } + [".fi", ".RE"]
  }

  mutating func seeAlso(_ pages: [(name: String, section: Int)]) {
    heading("SEE ALSO")
    let links = pages.map { "\(Roff.bold($0.name))(\($0.section))" }
    lines.append(links.joined(separator: ", "))
  }
}

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

/// The command `man`: the manual as files of a directory.
enum ManCommand {
  static func run(_ arguments: ParsedArguments) throws -> ExitCode {
    let directory = arguments.operands[0]
    let pages = ManPages(CommandTable.commands, date: try date(arguments)).all
    do {
      try makeDirectory(path: directory)
    } catch {
      throw OutputError.failed(directory, error.message)
    }
    for page in pages {
      let path = "\(directory)/\(page.fileName)"
      try DescriptorSink(path: path, .text).write(Array(page.rendered.utf8))
    }
    return .ok
  }

  /// The day that SOURCE_DATE_EPOCH names; nil without it.
  static func date(_ arguments: ParsedArguments) throws(UsageError) -> String? {
    guard let text = arguments.environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return nil }
    guard let seconds = Int64(text), (0...253_402_300_799).contains(seconds) else {
      throw UsageError(
        "environment variable SOURCE_DATE_EPOCH: \(Printable.quoted(text)) is not a number of seconds since 1970",
        usage: arguments.command.usage, next: "unset SOURCE_DATE_EPOCH")
    }
    return String("\(CivilDate(Moment(unixMilliseconds: seconds * 1_000)))".prefix(10))
  }
}

/// The Markdown that the documentation is written in, as blocks of a manual page: headings, paragraphs, lists, fenced
/// examples, and tables whose first column names what the others tell about.
struct ManMarkdown {
  private var lines: ArraySlice<Substring>

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
  }

  mutating func write(to page: inout ManPage) {
    while let line = lines.popFirst() {
      if line.isEmpty { continue }
      if line.hasPrefix("#") {
        page.subheading(String(line.drop { $0 == "#" }).trimmingSpaces())
      } else if line.hasPrefix("```") {
        page.example(take { !$0.hasPrefix("```") }.map(String.init))
        _ = lines.popFirst()
      } else if line.hasPrefix("|") {
        // The heading and the rule below it say nothing that the list does not show.
        for row in take(while: { $0.hasPrefix("|") }).dropFirst() { write(row: row, to: &page) }
      } else if line.hasPrefix("- ") {
        let more = take { $0.hasPrefix("  ") }
        page.item("\\(bu", Roff.marked(Self.joined([line.dropFirst(2)] + more)))
      } else {
        let more = take { !$0.isEmpty && !$0.hasPrefix("- ") && !$0.hasPrefix("```") && !$0.hasPrefix("|") }
        page.paragraph(Roff.marked(Self.joined([line] + more)))
      }
    }
  }

  private mutating func take(while isWanted: (Substring) -> Bool) -> ArraySlice<Substring> {
    let taken = lines.prefix(while: isWanted)
    lines = lines[taken.endIndex...]
    return taken
  }

  private func write(row: Substring, to page: inout ManPage) {
    let cells = row.dropFirst().dropLast().split(separator: "|").map { $0.trimmingSpaces() }
    guard let term = cells.first else { return }
    page.item(Roff.marked(term), Roff.marked(cells.dropFirst().joined(separator: "; ")))
  }

  private static func joined(_ lines: [Substring]) -> String {
    lines.map { $0.trimmingSpaces() }.joined(separator: " ")
  }
}

/// What halyard-recipes(5) says: the documentation's article on recipes, from its first sentence up to what only readers of
/// the sources need.
enum RecipeManual {
  static func write(to page: inout ManPage) {
    var markdown = ManMarkdown(text)
    markdown.write(to: &page)
  }

  static var text: String {
    let lines = String(decoding: PackageResources.RecipeFormat_md, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = lines.firstIndex { $0.hasPrefix("A recipe is one JSON file") } ?? 0
    let end = lines.lastIndex { $0.hasPrefix("### In the sources") } ?? lines.count
    // Without what tells scripts/docs how to run the examples.
    return lines[start..<end].filter { !$0.hasPrefix("<!--") }.joined(separator: "\n")
  }
}

/// Text as macros of man(7), in ASCII.
enum Roff {
  /// Text that roff takes for nothing but text, wherever in a line it stands.
  static func text(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": out += "\\(rs"
      case "-": out += "\\-"
      case "'": out += "\\(aq"
      case "`": out += "\\(ga"
      case "^": out += "\\(ha"
      case "~": out += "\\(ti"
      case "\"": out += "\\(dq"
      case "\n", "\r", "\t": out += " "
      case " "..."}": out.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        out += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    return out
  }

  /// A line of text, which a dot in front does not turn into a request.
  static func line(_ roff: String) -> String {
    roff.hasPrefix(".") ? "\\&\(roff)" : roff
  }

  static func bold(_ plain: String) -> String { "\\fB\(text(plain))\\fR" }

  static func italic(_ plain: String) -> String { "\\fI\(text(plain))\\fR" }

  /// Words between backticks, and between two pairs of asterisks, are bold; all others are as they are.
  static func marked(_ markdown: String) -> String {
    var out = ""
    for (index, part) in markdown.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      if !index.isMultiple(of: 2) {
        out += bold(String(part))
        continue
      }
      var rest = part
      var isBold = false
      while let mark = rest.firstRange(of: "**") {
        out += isBold ? bold(String(rest[..<mark.lowerBound])) : text(String(rest[..<mark.lowerBound]))
        rest = rest[mark.upperBound...]
        isBold.toggle()
      }
      out += isBold ? bold(String(rest)) : text(String(rest))
    }
    return out
  }
}
