import Links
import Testing

struct `What users type` {
  @Test(arguments: [
    (" https://example.org/x \n", "https://example.org/x"),
    ("example.org", "http://example.org/"),
    ("example.org/x?y#z", "http://example.org/x?y#z"),
    ("example.org:8080/x", "http://example.org:8080/x"),
    ("localhost", "http://localhost/"),
    ("LocalHost:8080/x", "http://localhost:8080/x"),
    ("intranet:81", "http://intranet:81/"),
    ("127.0.0.1/x", "http://127.0.0.1/x"),
    ("[::1]:8080/x", "http://[::1]:8080/x"),
    ("bücher.example", "http://xn--bcher-kva.example/"),
    ("example.org?q=1", "http://example.org/?q=1"),
    ("http://example.org/a b", "http://example.org/a%20b"),
    ("http:example.org", "http://example.org/"),
  ])
  func `is a URL when it looks like one`(input: String, href: String) throws {
    #expect(try WebURL.userInput(input).href == href)
  }

  @Test(arguments: [
    ("", LinkError.empty),
    (" \r\n\t ", .empty),
    ("not a url", .notAURL),
    ("word", .notAURL),
    ("/etc/hosts", .notAURL),
    ("./file.html", .notAURL),
    ("..", .notAURL),
    ("see example.org", .notAURL),
    ("someone@example.org", .notAURL),
    ("?q", .notAURL),
    ("[nothing]", .notAURL),
    ("mailto:someone@example.org", .unsupportedScheme("mailto")),
    ("javascript:1", .unsupportedScheme("javascript")),
    ("tel:112", .unsupportedScheme("tel")),
    ("urn:isbn:0451450523", .unsupportedScheme("urn")),
    ("file:///etc/passwd", .unsupportedScheme("file")),
    ("http://example.org/\r\nX-Evil: 1", .forbiddenCharacter),
    ("http://exa\u{0}mple.org/", .forbiddenCharacter),
    ("example.org\rx", .forbiddenCharacter),
    ("http://exa mple.org/", .invalidHost(.forbiddenCharacter)),
    ("example.org:99999/", .invalidPort),
    ("1.2.3.4.5", .invalidHost(.invalidIPv4)),
  ])
  func `is refused by name when it does not`(input: String, error: LinkError) {
    #expect(throws: error) { try WebURL.userInput(input) }
  }

  @Test func `keeps its credentials and never shows them`() throws {
    let url = try WebURL.userInput("https://user:secret@example.org/")
    #expect(url.username == "user")
    #expect(url.password == "secret")
    #expect(url.href == "https://example.org/")
  }

  @Test(arguments: [
    LinkError.empty, .notAURL, .unsupportedScheme("ftp"), .invalidHost(.missing), .invalidPort,
    .forbiddenCharacter, .tooLong(limit: 8), .invalidAddressRange("x"),
    .invalidNAT64Prefix("x"),
  ])
  func `gets a message of one line`(error: LinkError) {
    #expect(!error.message.isEmpty)
    #expect(!error.message.contains { $0.isNewline })
  }
}
