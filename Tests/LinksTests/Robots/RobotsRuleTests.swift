import Links
import PipelineTesting
import Testing

/// Which rule of a robots.txt counts for a link (RFC 9309, 2.2).
@Suite struct RobotsRuleTests {
  private func verdict(_ file: String, _ path: String, _ agent: String = "halyard/1") throws -> RobotsVerdict
  {
    let rules = RobotsRules(parsing: Array(file.utf8), for: ProductToken(userAgent: agent))
    return rules.verdict(on: try WebURL("https://site.test\(path)"))
  }

  private func isAllowed(_ file: String, _ path: String, _ agent: String = "halyard/1") throws -> Bool {
    switch try verdict(file, path, agent) {
    case .allowed: true
    case .refused, .tooMuchToCompare: false
    }
  }

  /// Rule, path, and whether the rule is about it.
  @Test(arguments: [
    ("/", "/any", true), ("/fish", "/fish", true), ("/fish", "/fishing/x?y", true),
    ("/fish", "/Fish", false), ("/fish", "/a/fish", false), ("/fish/", "/fish", false),
    ("/fish/", "/fish/a", true), ("/fish*", "/fishes", true), ("/*.php", "/a/b.php?c", true),
    ("/*.php", "/a.PHP", false), ("/*.php$", "/b.php", true), ("/*.php$", "/b.php?c", false),
    ("/fish*.php", "/fishy/a.php5", true), ("/fish*.php", "/a/fish.php", false), ("/a$b", "/a$b", true),
    ("/a$b", "/a", false), ("/$", "/", true), ("/$", "/a", false), ("/*", "/x", true), ("*", "/x", true),
    ("*/x/", "/a/x/b", true), ("/a**b", "/acb", true), ("/*a*b$", "/bab", true), ("/*a*b$", "/baba", false),
    ("fish", "/fish", false), ("/?q", "/?q=1", true), ("/?q", "/", false), ("/*$", "/anything", true),
  ])
  func `a pattern begins the path, with stars and an end`(pattern: String, path: String, isAbout: Bool) throws
  {
    #expect(try isAllowed("User-agent: *\nDisallow: \(pattern)", path) == !isAbout)
    let opposite = "User-agent: *\nDisallow: /\nAllow: /\nDisallow: /*\nAllow: \(pattern)****"
    #expect(try isAllowed(opposite, path) == (isAbout && !pattern.hasSuffix("$")))
  }

  /// As the table in 2.2.2 has it, and some more.
  @Test(arguments: [
    ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
    ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
    ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"),
    ("/foo/bar/ツ", "/foo/bar/%E3%83%84"), ("/foo/bar/%E3%83%84", "/foo/bar/ツ"),
    ("/foo/bar/%e3%83%84", "/foo/bar/%E3%83%84"), ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
    ("/foo/bar/baz", "/foo/bar/%62a%7a"), ("/path/a-with-a-%2A.html", "/path/a-with-a-*.html"),
    ("/path/foo-%24", "/path/foo-$"), ("/a b", "/a%20b"), ("/a%7Eb", "/a~b"), ("/*:x", "/a?b=c:x"),
    ("/*%3Ax", "/a?b=c:x"), ("/%zz", "/%zz"),
  ])
  func `encoding makes no difference where it means none`(pattern: String, path: String) throws {
    #expect(try !isAllowed("User-agent: *\nDisallow: \(pattern)$", path))
  }

  @Test(arguments: [
    ("/a%2Fb", "/a/b"), ("/a/b", "/a%2Fb"), ("/a%3Fb", "/a?b"), ("/path/%2A$", "/path/anything"),
    ("/q?a%26b", "/q?a&b"),
  ])
  func `and does where it means something`(pattern: String, path: String) throws {
    #expect(try isAllowed("User-agent: *\nDisallow: \(pattern)", path))
  }

  @Test(arguments: [
    ("Disallow: /\nAllow: /pub", "/pub/x", true), ("Allow: /pub\nDisallow: /", "/x", false),
    ("Disallow: /example/page/\nAllow: /example/page/open.gif", "/example/page/open.gif", true),
    ("Allow: /p\nDisallow: /", "/page", true), ("Disallow: /folder\nAllow: /folder", "/folder/x", true),
    ("Allow: /page\nDisallow: /*.htm", "/page.htm", false), ("Allow: /$\nDisallow: /", "/", true),
    ("Allow: /$\nDisallow: /", "/x", false), ("Disallow:", "/", true),
    ("Disallow:\nDisallow: /", "/x", false),
    ("Allow:\nDisallow: /x", "/x", false),
  ])
  func `the longest rule counts, and of equal ones the one that allows`(
    rules: String, path: String, isAllowed: Bool
  ) throws {
    #expect(try self.isAllowed("User-agent: *\n\(rules)", path) == isAllowed)
    let reversed = rules.split(separator: "\n").reversed().joined(separator: "\n")
    #expect(try self.isAllowed("User-agent: *\n\(reversed)", path) == isAllowed)
  }

  @Test func `the rule is told with its line`() throws {
    let file = "# ours\r\n\r\nUser-agent: halyard\rDisallow: /a b # no\nAllow: /a b/c$"
    guard case .refused(let rule) = try verdict(file, "/a%20bc") else {
      Issue.record("not refused")
      return
    }
    #expect(rule.line == 4)
    #expect(rule.description == "Disallow: /a%20b")
    guard case .allowed(let other?) = try verdict(file, "/a b/c") else {
      Issue.record("no rule")
      return
    }
    #expect(other.line == 5)
    #expect(other.description == "Allow: /a%20b/c$")
    #expect(try verdict(file, "/b") == .allowed(by: nil))
  }

  @Test func `the file itself is always allowed`() throws {
    #expect(try isAllowed("User-agent: *\nDisallow: /", "/robots.txt"))
    #expect(try !isAllowed("User-agent: *\nDisallow: /", "/robots.txt/x"))
  }

  @Test func `what is made to cost time is given up, and refuses`() throws {
    let file = "User-agent: *\n" + String(repeating: "Disallow: /*a*a*a*a*a*a*a*a*a*ab\n", count: 5_000)
    let path = "/" + String(repeating: "a", count: 50_000)
    var verdict: RobotsVerdict?
    let spent = try processorTime { verdict = try self.verdict(file, path) }
    #expect(verdict == .tooMuchToCompare)
    #expect(spent < .seconds(20))
    #expect(try isAllowed(file, "/aaaa"))
  }
}
