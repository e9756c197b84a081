import Pages
import Testing

/// When the start of a page is all that has to be read of it.
struct SettledPageTests {
  private static let head =
    "<!doctype html><html><head><meta charset=utf-8><title>A lamp</title><meta property=og:title content=Lamp>"
  private static let filler = String(repeating: "<p>words", count: 2_000)

  private func isSettled(_ page: String, contentType: String? = "text/html") -> Bool {
    PageReader().isSettled(by: Array(page.utf8), contentType: contentType)
  }

  @Test func `a closed head with a title and a card is enough, and the whole page says the same`() {
    let start = Self.head + "</head><body>" + Self.filler
    #expect(isSettled(start))
    let whole = start + "<title>Other</title><meta property=og:title content=Other>"
    let reads = [start, whole].map { page in
      PageReader().read(Array(page.utf8), contentType: "text/html", url: "https://a.test/") { text, _ in text }
    }
    #expect(reads.map(\.title) == ["A lamp", "A lamp"])
    #expect(reads[0].card == reads[1].card)
  }

  @Test(arguments: [
    ("the head is not closed", head + filler),
    ("only a body follows, and behind it a head may end", head + "<body>" + filler),
    ("there is no card", "<head><meta charset=utf-8><title>A lamp</title></head>" + filler),
    ("there is no title", "<head><meta charset=utf-8><meta property=og:title content=Lamp></head>" + filler),
    ("nothing names the charset", "<head><title>A</title><meta property=og:title content=B></head>" + filler),
    (
      "a check for bots has such a title",
      "<head><meta charset=utf-8><title>Just a moment...</title><meta property=og:title content=x></head>"
        + filler
    ),
  ])
  func `the rest may matter`(why: String, page: String) {
    #expect(!isSettled(page), "\(why)")
  }

  @Test func `what is no page is read to its end`() {
    #expect(!isSettled(Self.head + "</head>" + Self.filler, contentType: "application/pdf"))
    #expect(!isSettled(Self.head + "</head>" + Self.filler, contentType: "application/xhtml+xml"))
  }

  @Test func `a legacy charset makes no difference`() {
    #expect(isSettled(Self.head.replacing("utf-8", with: "koi8-r") + "</head>" + Self.filler))
  }
}
