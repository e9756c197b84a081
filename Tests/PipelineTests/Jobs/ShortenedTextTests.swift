import Pipeline
import Testing

struct ShortenedTextTests {
  @Test func `a text that fits stays as it is`() {
    for text in ["", "a", String(repeating: "ß", count: 1_024)] {
      #expect(text.shortened(toBytes: 2_048) == text)
    }
  }

  @Test func `a long text keeps both its ends`() {
    let text = "fetch " + String(repeating: "x", count: 30_000) + ": timed out"
    let short = text.shortened(toBytes: 100)
    #expect(short.utf8.count == 100)
    #expect(short.hasPrefix("fetch xxx"))
    #expect(short.contains("x […] x"))
    #expect(short.hasSuffix("x: timed out"))
  }

  @Test(arguments: ["ß", "€", "😀", "e\u{301}", "👨‍👩‍👧‍👦"])
  func `no character is cut in two`(character: String) {
    let text = String(repeating: character, count: 500)
    for limit in 0..<60 {
      let short = text.shortened(toBytes: limit)
      #expect(short.utf8.count <= max(limit, 7))
      #expect(!short.unicodeScalars.contains("\u{FFFD}"))
    }
  }

  @Test func `a failure's message is bounded, however it grows`() {
    var failure = Failure(.httpStatus, at: .headers, String(repeating: "é", count: 50_000))
    #expect(failure.message.utf8.count <= Failure.longestMessage)
    failure.message += "; " + String(repeating: "y", count: 50_000) + "; do this next"
    #expect(failure.message.utf8.count <= Failure.longestMessage)
    #expect(failure.message.hasSuffix("; do this next"))
  }
}
