import Links
import Testing

/// Whose rules count, and what a robots.txt may look like (RFC 9309, 2.1 and 2.2.1).
@Suite struct RobotsGroupTests {
  private func isAllowed(
    _ file: some Collection<UInt8>, _ path: String, _ agent: String = "halyard/1", isCut: Bool = false
  ) throws -> Bool {
    let rules = RobotsRules(parsing: Array(file), isCut: isCut, for: ProductToken(userAgent: agent))
    switch rules.verdict(on: try WebURL("https://site.test\(path)")) {
    case .allowed: return true
    case .refused, .tooMuchToCompare: return false
    }
  }

  private static let file = """
    User-Agent: *
    Disallow: *.gif$
    Disallow: /example/
    Allow: /publications/

    User-Agent: foobot
    Disallow:/
    Allow:/example/page.html
    Allow:/example/allowed.gif

    User-Agent: barbot
    User-Agent: bazbot
    Disallow: /example/page.html

    User-Agent: quxbot
    """

  @Test(arguments: [
    ("other", "/x.gif", false), ("other", "/x.gif?", true), ("other", "/example/page.html", false),
    ("foobot", "/example/page.html", true), ("foobot", "/example/allowed.gif", true),
    ("FooBot/2.1 (+http://foo.test)", "/publications/", false), ("barbot", "/example/page.html", false),
    ("bazbot", "/example/page.html", false), ("bazbot", "/x.gif", true), ("quxbot", "/example/x.gif", true),
    ("foo", "/publications/", true), ("foobots", "/publications/", true), ("", "/example/", false),
    ("7", "/example/", false), ("Mozilla/5.0 (Compatible;  FooBot/1.0)", "/publications/", false),
    ("Mozilla/5.0 (compatible; )", "/publications/", true),
  ])
  func `rules are those for the product's own name, else those for everybody`(
    agent: String, path: String, isAllowed: Bool
  ) throws {
    #expect(try self.isAllowed(Self.file.utf8, path, agent) == isAllowed)
  }

  @Test func `groups of the same name are one, wherever they are`() throws {
    let file = """
      user-agent: halyard
      disallow: /a
      user-agent: *
      disallow: /
      user-agent: Halyard/0.9
      disallow: /b
      allow: /a/b
      """
    for (path, expected) in [("/a", false), ("/b", false), ("/a/b", true), ("/c", true)] {
      #expect(try isAllowed(file.utf8, path) == expected, "\(path)")
    }
  }

  @Test(arguments: [
    ("Disallow: /\nUser-agent: *\nDisallow: /a", "/b", true), ("", "/", true), ("Disallow: /", "/", true),
    ("User-agent: *\nSitemap: http://x/\nCrawl-delay: 9\nUser-agent: other\nDisallow: /", "/", false),
    ("User-agent: other\nNoindex: /\nDisallow: /\nUser-agent: *\nDisallow: /a", "/b", true),
    ("USER-AGENT : *\t\n  DISALLOW\t:\t/a  # why", "/a", false), ("User-agent *\nDisallow /", "/", true),
    ("<html>\nUser-agent: *\n<p>\nDisallow: /a\n</html>", "/a", false),
    ("#User-agent: *\nDisallow: /", "/", true),
    ("User-agent: *#all\nDisallow: /a#b", "/ab", false), ("\u{FEFF}User-agent: *\nDisallow: /", "/", false),
    ("User-agent: *\u{0}\nDisallow: /", "/", true), ("User-agent: *\r\rDisallow: /\r", "/", false),
    ("User-agent: *\n\r\nDisallow: /a\r\nDisallow: /b\rDisallow: /c", "/c", false),
    ("User-agent:\nDisallow: /", "/", true), (":\n::\nUser-agent: *\nDisallow: /", "/", false),
  ])
  func `only records count, in any spelling`(file: String, path: String, isAllowed: Bool) throws {
    #expect(try self.isAllowed(file.utf8, path) == isAllowed)
  }

  @Test func `500 KiB are read, and no line that may go on`() throws {
    let start = Array("User-agent: *\nDisallow: /a\n".utf8)
    let filling = Array(repeating: UInt8(ascii: "#"), count: RobotsRules.capBytes - start.count - 12) + [0x0A]
    #expect(try !isAllowed(start + filling + Array("Disallow:/\n".utf8), "/x"))
    #expect(try isAllowed(start + filling + Array("Disallow: /private\n".utf8), "/x"))
    #expect(try !isAllowed(start + filling + Array("Disallow: /private\n".utf8), "/a"))
    #expect(try !isAllowed(Array("User-agent: *\nDisallow: /".utf8), "/x"))
    #expect(try isAllowed(Array("User-agent: *\nDisallow: /".utf8), "/x", isCut: true))
    #expect(try isAllowed(Array("User-agent: *".utf8), "/x", isCut: true))
  }

  @Test(arguments: [
    ("halyard/0.1.0", "halyard"), ("My_Link-Bot 2", "my_link-bot"), ("Mozilla/5.0 (X11)", "mozilla"),
    ("Mozilla/5.0 (compatible; Foo-Bot/2; +http://foo.test/)", "foo-bot"), ("", ""), ("1st", ""),
  ])
  func `the name is the product of the user agent that is sent`(agent: String, name: String) {
    #expect(ProductToken(userAgent: agent).description == name)
  }
}
