import Pipeline
import Testing

@testable import HalyardCLI

struct TermsTextTests {
  private let now = Moment(unixMilliseconds: 1_700_000_000_000)

  private func terms(_ words: [String]) throws -> BatchTerms {
    let arguments = try ArgumentParser.parse(words[...], for: CommandTable.submit, environment: [:])
    return try TermsText.terms(#require(arguments), at: now)
  }

  private func terms(_ words: String...) throws -> BatchTerms { try terms(words) }

  @Test(arguments: [("low", 1), ("normal", 10), ("high", 100), ("1", 1), ("1000", 1_000)])
  func `a priority is a word or a weight`(text: String, weight: UInt32) throws {
    #expect(try terms("--priority", text).weight == weight)
  }

  @Test(arguments: [("5/s", 18_000), ("30/m", 1_800), ("7/h", 7), ("0", 0)])
  func `a rate counts jobs in a second, a minute or an hour`(text: String, perHour: UInt32) throws {
    let terms = try terms("--rate", text)
    #expect(terms.perHour == perHour)
    #expect(terms.rate == (text == "0" ? nil : text))
  }

  @Test func `what is not given is left as it is`() throws {
    #expect(try terms("--name", "monday") == BatchTerms(name: "monday"))
    #expect(try terms("--at-most", "0").atMost == 0)
  }

  @Test(arguments: [
    ["--priority", "urgent"], ["--priority", "0"], ["--priority", "1001"], ["--rate", "5"],
    ["--rate", "0/s"],
    ["--rate", "5/d"], ["--rate", "9999999/s"], ["--at", "soon"], ["--at", "24:00"], ["--at", "2h"],
    ["--finish-by", "2026-02-30T00:00:00Z"], ["--finish-by", "2020-01-01T00:00:00Z"],
    ["--at", "+2h", "--finish-by", "+1h"],
  ])
  func `anything else is refused`(words: [String]) {
    #expect(throws: UsageError.self) {
      try terms(words)
    }
  }

  @Test func `a time is a moment, a time of day or so long from now`() throws {
    #expect(TermsText.moment("+2h", at: now) == now.advanced(byMilliseconds: 7_200_000))
    #expect(TermsText.moment("2023-11-14T23:13:20+01:00", at: now) == now)
    let next = try #require(TermsText.moment("18:30", at: now))
    #expect(next > now && next <= now.advanced(byMilliseconds: 25 * 3_600_000))
    #expect(next.unixMilliseconds % 60_000 == 0)
  }
}
