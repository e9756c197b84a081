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
