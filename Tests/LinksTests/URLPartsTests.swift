import Links
import Testing

struct `The parts of a URL` {
  @Test func `are all there`() throws {
    let url = try WebURL("https://us%20er:p@ss:w@Example.ORG:8443/a/b?q=1#frag")
    #expect(url.scheme == .https)
    #expect(url.host == .domain("example.org"))
    #expect(url.port == 8443)
    #expect(url.effectivePort == 8443)
    #expect(url.path == "/a/b")
    #expect(url.query == "q=1")
    #expect(url.fragment == "frag")
    #expect(url.username == "us%20er")
    #expect(url.password == "p%40ss%3Aw")
    #expect(url.credentials?.username == "us er")
    #expect(url.credentials?.password == "p@ss:w")
    #expect(url.href == "https://example.org:8443/a/b?q=1#frag")
    #expect(url.requestURL == "https://example.org:8443/a/b?q=1")
    #expect(url.hostKey == "example.org:8443")
    #expect(try url.origin == Origin.of("https://example.org:8443/"))
    #expect("\(url.origin)" == "https://example.org:8443")
  }

  @Test func `are absent when they are`() throws {
    let url = try WebURL("http://example.org")
    #expect(url.port == nil)
    #expect(url.effectivePort == 80)
    #expect(url.path == "/")
    #expect(url.query == nil)
    #expect(url.fragment == nil)
    #expect(url.username == "")
    #expect(url.password == "")
    #expect(url.credentials == nil)
    #expect(url.requestURL == "http://example.org/")
    #expect(url.hostKey == "example.org")
  }

  @Test func `tell empty from absent`() throws {
    let url = try WebURL("http://example.org/?#")
    #expect(url.query == "")
    #expect(url.fragment == "")
    #expect(url.requestURL == "http://example.org/?")
    #expect(try url != WebURL("http://example.org/"))
  }

  @Test(arguments: [
    ("http://user@h/", "user", ""),
    ("http://user:@h/", "user", ""),
    ("http://:pass@h/", "", "pass"),
    ("http://:@h/", "", ""),
    ("http://a:b:c@h/", "a", "b%3Ac"),
    ("http://::@c@h/", "", "%3A%40c"),
    ("http://&a:foo(b]c@h/", "&a", "foo(b%5Dc"),
    ("http://joe@example.org:b@h/", "joe%40example.org", "b"),
    ("http://ü:'@h/", "%C3%BC", "'"),
  ])
  func `include userinfo that is never shown`(input: String, username: String, password: String) throws {
    let url = try WebURL(input)
    #expect(url.username == username)
    #expect(url.password == password)
    #expect(url.href == "http://h/")
    #expect("\(url)" == "http://h/")
  }

  @Test func `include userinfo that makes URLs differ`() throws {
    #expect(try WebURL("http://a@h/") != WebURL("http://h/"))
    #expect(try WebURL("http://h:80/") == WebURL("http://H/"))
  }

  @Test func `include a fragment that can be replaced`() throws {
    let url = try WebURL("http://example.org/?q#old")
    #expect(url.withFragment("new one").href == "http://example.org/?q#new%20one")
    #expect(url.withFragment(nil).href == "http://example.org/?q")
    #expect(url.withFragment("").fragment == "")
    #expect(url.withFragment("old") == url)
  }

  @Test func `group URLs by origin and by host`() throws {
    #expect(try Origin.of("http://h/a") == Origin.of("http://h:80/b"))
    #expect(try Origin.of("http://h/") != Origin.of("https://h/"))
    #expect(try Origin.of("http://h/") != Origin.of("http://h:81/"))
    #expect(try WebURL("http://[::1]:81/").hostKey == "[::1]:81")
    #expect(try WebURL("http://127.1/").hostKey == "127.0.0.1")
  }
}

extension Origin {
  fileprivate static func of(_ text: String) throws -> Origin { try WebURL(text).origin }
}
