import Testing

@testable import Recipes

@Suite struct SuggestionTests {
  static let rows: [(word: String, meant: String?)] = [
    ("titel", "title"), ("tilte", "title"), ("title", "title"), ("ttle", "title"), ("unfurrl", "unfurl"),
    ("unf", "unfurl"), ("de", nil), ("dec", "decode"), ("decdoe", "decode"), ("x", nil), ("", nil),
    ("completely", nil),
  ]

  @Test(arguments: rows)
  func `the closest command is suggested`(row: (word: String, meant: String?)) {
    #expect(Suggestion.closest(to: row.word, among: ["unfurl", "title", "decode", "demo"]) == row.meant)
  }

  static let distances: [(source: String, target: String, slips: Int)] = [
    ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abd", 1),
    ("abc", "abcd", 1), ("abcd", "abc", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
  ]

  @Test(arguments: distances)
  func `a slip is a letter added, dropped, changed or swapped`(
    row: (source: String, target: String, slips: Int)
  ) {
    #expect(Suggestion.slips(from: Array(row.source), to: Array(row.target)) == row.slips)
  }
}
