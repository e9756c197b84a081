import Foundation
import Testing

@testable import HalyardCLI

@Suite struct RecipeManualTests {
  @Test func `halyard-recipes(5) is the text of the documentation`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
    let file = root.appending(path: "Sources/HalyardCLI/Halyard.docc/Reference/RecipeFormat.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(text.range(of: "A recipe is one JSON file"))
    let end = try #require(text.range(of: "\n\n### In the sources"))
    // Without what tells scripts/docs how to run the examples.
    let shown = text[start.lowerBound..<end.lowerBound].replacing(/<!-- [^\n]* -->\n/, with: "")
    #expect(RecipeManual.text == shown)
  }

  @Test func `headings, lists, tables and examples become macros`() {
    var page = ManPage("x", section: 5, summary: "s", date: nil)
    var markdown = ManMarkdown(
      """
      ### One
      a
      b

      - c
        d
      - e

      | What | It is | Where |
      |---|---|---|
      | `f` | g | h |
      ```
      .i
      ```
      """)
    markdown.write(to: &page)
    #expect(
      page.rendered.split(separator: "\n").dropFirst(3).map(String.init) == [
        ".SS One", ".PP", "a b", ".TP", "\\(bu", "c d", ".TP", "\\(bu", "e", ".TP", "\\fBf\\fR", "g; h",
        ".PP",
        ".RS 4", ".nf", "\\&.i", ".fi", ".RE",
      ])
  }
}
