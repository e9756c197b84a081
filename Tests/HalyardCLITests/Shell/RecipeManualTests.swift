import Testing

@testable import HalyardCLI

@Suite struct RecipeManualTests {
  @Test func `halyard-recipes(5) has what users need of the documentation, and no more`() {
    let text = RecipeManual.text
    #expect(text.hasPrefix("A recipe is one JSON file"))
    #expect(text.contains("| The values of all steps together |"))
    #expect(!text.contains("In the sources") && !text.contains("``/Recipes") && !text.contains("<!--"))
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
