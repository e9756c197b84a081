import Links
import Testing

struct `Relative references` {
  @Test(arguments: [
    ("", "http://example.org/foo/bar?q"),
    ("  \t", "http://example.org/foo/bar?q"),
    ("x", "http://example.org/foo/x"),
    ("./x", "http://example.org/foo/x"),
    ("../x", "http://example.org/x"),
    ("../../../x", "http://example.org/x"),
    (".", "http://example.org/foo/"),
    ("..", "http://example.org/"),
    ("x/../y/", "http://example.org/foo/y/"),
    ("/x", "http://example.org/x"),
    ("\\x", "http://example.org/x"),
    ("/", "http://example.org/"),
    ("/../..", "http://example.org/"),
    ("//other/y", "http://other/y"),
    ("\\\\other\\y", "http://other/y"),
    ("///other/y", "http://other/y"),
    ("/\\/other", "http://other/"),
    ("?n=1", "http://example.org/foo/bar?n=1"),
    ("?", "http://example.org/foo/bar?"),
    ("#g", "http://example.org/foo/bar?q#g"),
    ("#", "http://example.org/foo/bar?q#"),
    ("x?y#z", "http://example.org/foo/x?y#z"),
    (":foo.com/", "http://example.org/foo/:foo.com/"),
    (":23", "http://example.org/foo/:23"),
    ("::", "http://example.org/foo/::"),
    ("2:3", "http://example.org/foo/2:3"),
    ("http:x", "http://example.org/foo/x"),
    ("http:/x", "http://example.org/x"),
    ("http:", "http://example.org/foo/bar?q"),
    ("http:?n", "http://example.org/foo/bar?n"),
    ("HTTP://Other/", "http://other/"),
    ("http:\\\\other", "http://other/"),
    ("http::@c:29", "http://example.org/foo/:@c:29"),
    ("https:x", "https://x/"),
    ("https:/x/y", "https://x/y"),
    ("http%3A//other/", "http://example.org/foo/http%3A//other/"),
    ("\"http://other/\"", "http://example.org/foo/%22http://other/%22"),
    ("'http://other/'", "http://example.org/foo/'http://other/'"),
    ("a b", "http://example.org/foo/a%20b"),
    ("\u{0}x\u{0}", "http://example.org/foo/x"),
  ])
  func `are resolved as browsers resolve them`(reference: String, href: String) throws {
    let base = try WebURL("http://example.org/foo/bar?q#f")
    #expect(try WebURL(reference, relativeTo: base).href == href)
  }

  @Test(arguments: [
    ("mailto:someone@example.org", LinkError.unsupportedScheme("mailto")),
    ("data:text/html,x", .unsupportedScheme("data")),
    ("intent://x#Intent;end", .unsupportedScheme("intent")),
    ("a:\t foo.com", .unsupportedScheme("a")),
    ("//", .invalidHost(.missing)),
    ("http://", .invalidHost(.missing)),
    ("//a b/", .invalidHost(.forbiddenCharacter)),
  ])
  func `to elsewhere fail by name`(reference: String, error: LinkError) throws {
    let base = try WebURL("http://example.org/")
    #expect(throws: error) { try WebURL(reference, relativeTo: base) }
  }

  @Test func `keep scheme, port and userinfo of their base only on the same authority`() throws {
    let base = try WebURL("https://user:pass@example.org:8443/a/b")
    let sibling = try WebURL("c", relativeTo: base)
    #expect(sibling.href == "https://example.org:8443/a/c")
    #expect(sibling.username == "user")
    #expect(sibling.password == "pass")
    let elsewhere = try WebURL("//example.org:8443/c", relativeTo: base)
    #expect(elsewhere.href == "https://example.org:8443/c")
    #expect(elsewhere.username == "")
  }

  @Test func `as raw bytes are percent-encoded as they are`() throws {
    let base = try WebURL("http://example.org/a/")
    let bytes = Array("caf".utf8) + [0xE9] + Array("?".utf8) + [0xFF, 0x80] + Array("#".utf8) + [0xC3]
    #expect(
      try WebURL(bytes: bytes, relativeTo: base).href == "http://example.org/a/caf%E9?%FF%80#%C3")
    #expect(throws: LinkError.invalidHost(.invalidInternationalName)) {
      try WebURL(bytes: Array("//caf".utf8) + [0xE9] + Array("/".utf8), relativeTo: base)
    }
  }

  @Test func `made of many dot segments are resolved in no time`() throws {
    let base = try WebURL("http://\(String(repeating: "h", count: 30_000))/")
    let reference = String(repeating: "../", count: 10_000)
    #expect(try WebURL(reference, relativeTo: base) == base)
  }
}
