import Links
import Testing

struct `Absolute URLs` {
  @Test(arguments: [
    ("http://example.org", "http://example.org/"),
    ("HTTP://EXAMPLE.org/Path", "http://example.org/Path"),
    ("hTTps://example.org/", "https://example.org/"),
    ("  \t http://example.org/ \r\n", "http://example.org/"),
    ("\u{0}\u{1F}http://example.org/\u{0}", "http://example.org/"),
    ("ht\ntp://exa\tmple.org/a\rb", "http://example.org/ab"),
    ("http:example.org", "http://example.org/"),
    ("http:/example.org/", "http://example.org/"),
    ("http:////example.org/", "http://example.org/"),
    ("http:\\\\example.org\\a\\b", "http://example.org/a/b"),
    ("http:/\\/example.org", "http://example.org/"),
    ("http://example.org:80/", "http://example.org/"),
    ("https://example.org:443/", "https://example.org/"),
    ("https://example.org:80/", "https://example.org:80/"),
    ("http://f:/c", "http://f/c"),
    ("http://f:0/c", "http://f:0/c"),
    ("http://f:00000000000000000000080/c", "http://f/c"),
    ("http://f:65535/c", "http://f:65535/c"),
    ("http://f:\n/c", "http://f/c"),
    ("http://f:21/ b ? d # e ", "http://f:21/%20b%20?%20d%20#%20e"),
    ("http://example.org?q", "http://example.org/?q"),
    ("http://example.org#f", "http://example.org/#f"),
    ("http://example.org?", "http://example.org/?"),
    ("http://example.org#", "http://example.org/#"),
    ("http://example.org/?a?b#c#d", "http://example.org/?a?b#c#d"),
    ("http://foo.com/\\@", "http://foo.com//@"),
    ("http://example.org/a//b", "http://example.org/a//b"),
  ])
  func `are read as browsers read them`(input: String, href: String) throws {
    #expect(try WebURL(input).href == href)
  }

  @Test(arguments: [
    ("/a/b/c/./../../g", "/a/g"),
    ("/././foo", "/foo"),
    ("/./.foo", "/.foo"),
    ("/foo/.", "/foo/"),
    ("/foo/./", "/foo/"),
    ("/foo/bar/..", "/foo/"),
    ("/foo/bar/../", "/foo/"),
    ("/foo/bar/..bar", "/foo/bar/..bar"),
    ("/foo/bar/../ton/../../a", "/a"),
    ("/foo/../../..", "/"),
    ("/foo/../../../ton", "/ton"),
    ("/foo/%2e", "/foo/"),
    ("/foo/%2e%2", "/foo/%2e%2"),
    ("/foo/%2e./%2e%2e/.%2e/%2e.bar", "/%2e.bar"),
    ("/foo/%2E%2e/x", "/x"),
    ("/foo/...", "/foo/..."),
    ("//../..", "/"),
    ("/foo/bar//../..", "/foo/"),
    ("/foo/bar//..", "/foo/bar/"),
    ("/a\\..\\b", "/b"),
    ("/a b\"<>`{}^?x", "/a%20b%22%3C%3E%60%7B%7D%5E?x"),
    ("/%20foo", "/%20foo"),
    ("/foo%", "/foo%"),
    ("/foo%2zbar", "/foo%2zbar"),
    ("/foo%2Fbar", "/foo%2Fbar"),
    ("/foo\t%91", "/foo%91"),
    ("/(%28:%3A%29)", "/(%28:%3A%29)"),
    ("/|[]'~!$&*+,;=@", "/|[]'~!$&*+,;=@"),
    ("/你好你好", "/%E4%BD%A0%E5%A5%BD%E4%BD%A0%E5%A5%BD"),
    ("/\u{7F}\u{1}x", "/%7F%01x"),
    ("/?a b\"<>'`{}^", "/?a%20b%22%3C%3E%27`{}^"),
    ("/?q=ü", "/?q=%C3%BC"),
    ("/#a b\"<>`'{}^", "/#a%20b%22%3C%3E%60'{}^"),
  ])
  func `have normal paths, queries and fragments`(input: String, expected: String) throws {
    #expect(try WebURL("http://example.com" + input).href == "http://example.com" + expected)
  }

  @Test(arguments: [
    ("", LinkError.empty),
    (" \n ", .empty),
    ("/relative", .notAURL),
    ("//example.org/", .notAURL),
    ("not a url", .notAURL),
    ("1http://example.org/", .notAURL),
    ("http//example.org/", .notAURL),
    ("ftp://example.org/", .unsupportedScheme("ftp")),
    ("JavaScript:alert(1)", .unsupportedScheme("javascript")),
    ("httpx://example.org/", .unsupportedScheme("httpx")),
    ("http://", .invalidHost(.missing)),
    ("http:///", .invalidHost(.missing)),
    ("https://?q", .invalidHost(.missing)),
    ("http://:80/", .invalidHost(.missing)),
    ("http://user@/x", .invalidHost(.missing)),
    ("http://a b/", .invalidHost(.forbiddenCharacter)),
    ("http://a<b/", .invalidHost(.forbiddenCharacter)),
    ("http://a^b/", .invalidHost(.forbiddenCharacter)),
    ("http://a|b/", .invalidHost(.forbiddenCharacter)),
    ("http://a%00b/", .invalidHost(.forbiddenCharacter)),
    ("http://a%zz/", .invalidHost(.forbiddenCharacter)),
    ("http://a%25/", .invalidHost(.forbiddenCharacter)),
    ("http://a\u{7F}b/", .invalidHost(.forbiddenCharacter)),
    ("http://f:b/c", .invalidPort),
    ("http://f: /c", .invalidPort),
    ("http://f:65536/c", .invalidPort),
    ("http://f:999999999999999999999999/c", .invalidPort),
    ("http://f:-80/c", .invalidPort),
  ])
  func `that are none fail by name`(input: String, error: LinkError) {
    #expect(throws: error) { try WebURL(input) }
  }

  @Test func `longer than the limit are refused, also when encoding makes them so`() throws {
    let limit = WebURL.maximumLength
    let start = "http://example.org/"
    let fits = start + String(repeating: "a", count: limit - start.utf8.count)
    #expect(try WebURL(fits).href == fits)
    #expect(throws: LinkError.tooLong(limit: limit)) { try WebURL(fits + "a") }
    #expect(throws: LinkError.tooLong(limit: limit)) {
      try WebURL(start + String(repeating: " ", count: limit / 2) + "a")
    }
  }
}
