import Links
import Testing

struct `A redirect's target` {
  @Test(arguments: [
    ("https://other.example/x", "https://other.example/x"),
    ("  https://other.example/x \t", "https://other.example/x"),
    ("https://other.ex\tample/a\tb", "https://other.example/ab"),
    ("\u{0}\u{1F}/x", "https://start.example:8443/x"),
    ("HTTP://OTHER.example:80/X", "http://other.example/X"),
    ("https://other.example:443", "https://other.example/"),
    ("https://other.example:/", "https://other.example/"),
    ("//other.example", "https://other.example/"),
    ("///other.example/x", "https://other.example/x"),
    ("\\\\other.example\\x", "https://other.example/x"),
    ("/\\other.example", "https://other.example/"),
    ("https:/other", "https://start.example:8443/other"),
    ("https:other", "https://start.example:8443/a/other"),
    ("http:/other/x", "http://other/x"),
    ("x", "https://start.example:8443/a/x"),
    ("/x/./y/../z", "https://start.example:8443/x/z"),
    ("../../x", "https://start.example:8443/x"),
    ("%2e%2E/x", "https://start.example:8443/x"),
    ("?r=1", "https://start.example:8443/a/b?r=1"),
    ("?", "https://start.example:8443/a/b?"),
    ("/a b c", "https://start.example:8443/a%20b%20c"),
    ("/é?é", "https://start.example:8443/%C3%A9?%C3%A9"),
    ("//bücher.example/ü", "https://xn--bcher-kva.example/%C3%BC"),
    ("//b%C3%BCcher.example", "https://xn--bcher-kva.example/"),
    ("//2130706433/", "https://127.0.0.1/"),
    ("//[::FFFF:1.2.3.4]/", "https://[::ffff:102:304]/"),
    ("//u:secret@other.example/", "https://other.example/"),
    ("https%3A%2F%2Fother.example%2F", "https://start.example:8443/a/https%3A%2F%2Fother.example%2F"),
    ("'https://other.example/'", "https://start.example:8443/a/'https://other.example/'"),
    ("\"https://other.example/\"", "https://start.example:8443/a/%22https://other.example/%22"),
    ("www.other.example", "https://start.example:8443/a/www.other.example"),
    (":80/x", "https://start.example:8443/a/:80/x"),
  ])
  func `is read as browsers read it`(location: String, href: String) throws {
    var chain = RedirectChain(start: try WebURL("https://start.example:8443/a/b?q"), maxHops: 1)
    #expect(chain.answered(status: 302, locations: [location]) == .follow(chain.current, method: .same))
    #expect(chain.current.href == href)
  }

  @Test(
    arguments: [
      ([0x2F, 0xE9], "http://start.example/%E9"),
      ([0x2F, 0xC3, 0xA9], "http://start.example/%C3%A9"),
      ([0x3F, 0xFF, 0x27], "http://start.example/start?%FF%27"),
      ([0x2F, 0x23, 0x80], "http://start.example/#%80"),
      ([0x2F, 0x00, 0x7F], "http://start.example/%00%7F"),
    ] as [([UInt8], String)])
  func `keeps bytes that are not ASCII as they are, percent-encoded`(location: [UInt8], href: String) throws {
    var chain = RedirectChain(start: try WebURL("http://start.example/start"), maxHops: 1)
    _ = chain.answered(status: 301, rawLocations: [location])
    #expect(chain.current.href == href)
  }

  @Test(arguments: [
    "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "mailto:a@b.example", "tel:112",
    "intent://x#Intent;end", "ftp://h/f", "ws://h/", "wss://h/", "about:blank", "blob:https://h/1",
    "view-source:http://h/", "market://details?id=x", "itms-apps://h/x", "urn:x:y", "x-custom+a.b:",
    "J\tavascript:alert(1)", " ftp://not a host/", "httpss://h/", "gopher://h/",
  ])
  func `in another scheme stops the walk where it is`(location: String) throws {
    let start = try WebURL("http://start.example/")
    var chain = RedirectChain(start: start, maxHops: 1)
    guard case .failed(.unsupportedScheme(_, let scheme)) = chain.answered(status: 302, locations: [location])
    else {
      Issue.record("\(location) was followed")
      return
    }
    let named = location.filter { !$0.isWhitespace }.prefix { $0 != ":" }.lowercased()
    #expect(scheme == named)
    #expect(chain.current == start)
    #expect(chain.hops == 0)
  }

  @Test(arguments: [
    ("#frag", "/x", "http://h/x#frag"),
    ("#frag", "/x#", "http://h/x"),
    ("#frag", "/x#new", "http://h/x#new"),
    ("#frag", "//other", "http://other/#frag"),
    ("#frag", "?", "http://h/?#frag"),
    ("#a%20b", "/x", "http://h/x#a%20b"),
    ("#", "/x", "http://h/x#"),
    ("", "/x", "http://h/x"),
    ("", "/x#", "http://h/x"),
  ])
  func `inherits the fragment unless it brings one`(start: String, location: String, href: String) throws {
    var chain = RedirectChain(start: try WebURL("http://h/\(start)"), maxHops: 1)
    _ = chain.answered(status: 302, locations: [location])
    #expect(chain.current.href == href)
  }
}
