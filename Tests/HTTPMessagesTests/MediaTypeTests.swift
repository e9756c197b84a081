import HTTPMessages
import Testing

struct MediaTypeTests {
  @Test(
    arguments: [
      ("text/html", "text/html"), ("Text/HTML; charset=UTF-8", "text/html"),
      ("text/html;a=\"b;c\"", "text/html"),
      ("application/vnd.api+json ; v=1", "application/vnd.api+json"),
      // Malformed.
      (" text/html\t", "text/html"), ("text / html", "text/html"), ("text/\u{1}html", "text/html"),
      ("text/html, image/png", "text/html"), ("text/html,", "text/html"), ("HTML", "html"),
      ("text/é", "text/é"),
      ("", nil), (" ; charset=utf-8", nil), (", text/html", nil),
      ("a/\(String(repeating: "x", count: 253))", "a/\(String(repeating: "x", count: 253))"),
      ("a/\(String(repeating: "x", count: 254))", nil),
    ] as [(String, String?)])
  func `a content type is read up to its parameters`(_ contentType: String, _ mediaType: String?) {
    #expect(contentType.mediaType == mediaType)
  }
}
