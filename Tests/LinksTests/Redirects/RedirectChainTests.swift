import Links
import Testing

struct `A redirect chain` {
  private func chain(_ start: String = "http://a/x?q#frag", maxHops: Int = 20) throws -> RedirectChain {
    RedirectChain(start: try WebURL(start), maxHops: maxHops)
  }

  @Test(arguments: [200, 204, 300, 304, 305, 306, 309, 399, 404, 410, 500, 0, -1])
  func `ends at any status that is no redirect, also with a Location`(status: Int) throws {
    var chain = try chain()
    #expect(chain.answered(status: status, locations: ["/next"]) == .final)
    #expect(chain.current == (try WebURL("http://a/x?q#frag")))
    #expect(chain.hops == 0)
  }

  @Test(arguments: [
    (301, RedirectChain.NextMethod.same), (302, .same), (303, .get), (307, .same), (308, .same),
  ])
  func `follows the five redirects`(status: Int, method: RedirectChain.NextMethod) throws {
    var chain = try chain()
    let next = try WebURL("https://b/y#frag")
    #expect(chain.answered(status: status, locations: ["https://b/y"]) == .follow(next, method: method))
    #expect(chain.current == next)
    #expect(chain.hops == 1)
  }

  @Test(arguments: [
    ("/y", "http://a/y#frag"),
    ("/y#new", "http://a/y#new"),
    ("/y#", "http://a/y"),
    ("?r", "http://a/x?r#frag"),
    (" \t/y\r\n ", "http://a/y#frag"),
    ("//b", "http://b/#frag"),
    ("\\\\b\\c", "http://b/c#frag"),
    ("http%3A//b/", "http://a/http%3A//b/#frag"),
    ("/a b", "http://a/a%20b#frag"),
  ])
  func `resolves targets and hands the fragment on`(location: String, href: String) throws {
    var chain = try chain()
    let step = chain.answered(status: 302, locations: [location])
    #expect(step == .follow(chain.current, method: .same))
    #expect(chain.current.href == href)
  }

  @Test func `hands a fragment on over several hops until one clears it`() throws {
    var chain = try chain()
    _ = chain.answered(status: 302, locations: ["/1"])
    _ = chain.answered(status: 302, locations: ["/2"])
    #expect(chain.current.href == "http://a/2#frag")
    _ = chain.answered(status: 302, locations: ["/3#"])
    _ = chain.answered(status: 302, locations: ["/4"])
    #expect(chain.current.href == "http://a/4")
  }

  @Test(
    arguments: [
      ([], RedirectFault.missingTarget),
      ([""], .missingTarget),
      ([" \t", ""], .missingTarget),
      (["/a", "/b"], .conflictingTargets),
      (["/a", "/b", "/a"], .conflictingTargets),
      (["javascript:alert(1)"], .unsupportedScheme(target: "javascript:alert(1)", scheme: "javascript")),
      (["mailto:a@b.c"], .unsupportedScheme(target: "mailto:a@b.c", scheme: "mailto")),
      (["Intent://x#Intent;end"], .unsupportedScheme(target: "Intent://x#Intent;end", scheme: "intent")),
      (["ftp://u:secret@h/f"], .unsupportedScheme(target: "ftp://h/f", scheme: "ftp")),
      (["http://u:secret@a b/"], .invalidTarget(target: "http://a b/", .invalidHost(.forbiddenCharacter))),
      (["https:u:secret@a b/"], .invalidTarget(target: "https:a b/", .invalidHost(.forbiddenCharacter))),
      (["/\t/u:secret@h:x"], .invalidTarget(target: "//h:x", .invalidPort)),
      (
        ["view-source:http://u:secret@h/@x"],
        .unsupportedScheme(target: "view-source:http://h/@x", scheme: "view-source")
      ),
      (
        ["view-source:HTTPS:u:secret@h"],
        .unsupportedScheme(target: "view-source:HTTPS:h", scheme: "view-source")
      ),
      (
        ["intent://me:secret@a?u=http://u:secret@b#x=ftp:\\\\c:secret@d"],
        .unsupportedScheme(target: "intent://a?u=http://b#x=ftp:\\\\d", scheme: "intent")
      ),
      (
        ["ftp://u:secret@http://v:secret@h"],
        .unsupportedScheme(target: "ftp://http://h", scheme: "ftp")
      ),
      (
        ["//u:secret@h:x/https:/v:secret@h"], .invalidTarget(target: "//h:x/https:/h", .invalidPort)
      ),
      (
        ["ftp://h/?u=//v:secret@x&w=https%3A%2f%2Fy%3Asecret%40z%2Fp"],
        .unsupportedScheme(target: "ftp://h/?u=//x&w=https%3A%2f%2Fz%2Fp", scheme: "ftp")
      ),
      (["mailto:http@b.c:d@e"], .unsupportedScheme(target: "mailto:http@b.c:d@e", scheme: "mailto")),
      (["x:\u{1B}[2J"], .unsupportedScheme(target: "x:%1B[2J", scheme: "x")),
      (["https:"], .invalidTarget(target: "https:", .invalidHost(.missing))),
      (["http://"], .invalidTarget(target: "http://", .invalidHost(.missing))),
    ] as [([String], RedirectFault)])
  func `fails by name and stays where it is`(locations: [String], fault: RedirectFault) throws {
    var chain = try chain()
    #expect(chain.answered(status: 301, locations: locations) == .failed(fault))
    #expect(chain.current == (try WebURL("http://a/x?q#frag")))
    #expect(!fault.message.isEmpty)
    #expect(!fault.message.contains("secret"))
  }

  @Test func `takes equal Locations for one`() throws {
    var chain = try chain()
    let step = chain.answered(status: 301, locations: ["/y", " /y", "", "/y"])
    #expect(step == .follow(try WebURL("http://a/y#frag"), method: .same))
  }

  @Test func `reports a loop as soon as it closes`() throws {
    var chain = try chain("http://a/1")
    _ = chain.answered(status: 302, locations: ["/2"])
    _ = chain.answered(status: 302, locations: ["/3"])
    let step = chain.answered(status: 302, locations: ["/2"])
    #expect(step == .failed(.loop(try WebURL("http://a/2"))))
    #expect(chain.hops == 2)
  }

  @Test(arguments: ["/x?q", "#other", "HTTP://A:80/y/../x?q"])
  func `takes another spelling or fragment of the same request for a loop`(location: String) throws {
    var chain = try chain()
    guard case .failed(.loop) = chain.answered(status: 302, locations: [location]) else {
      Issue.record("\(location) was followed")
      return
    }
  }

  @Test func `does not take the same URL in another state for a loop`() throws {
    var chain = try chain("http://a/wall")
    let wall = try WebURL("http://a/wall")
    #expect(chain.answered(status: 302, locations: ["/wall"], stateToken: 7) == .follow(wall, method: .same))
    #expect(chain.answered(status: 302, locations: ["/wall"], stateToken: 7) == .failed(.loop(wall)))
  }

  @Test func `lets a cookie wall redirect to itself as often as it changes the cookies`() throws {
    let wall = try WebURL("http://a/wall")
    var chain = try chain("http://a/wall")
    for cookies in 1...5 as ClosedRange<UInt64> {
      let step = chain.answered(status: 302, locations: ["/wall"], stateToken: cookies)
      #expect(step == .follow(wall, method: .same))
    }
    #expect(chain.answered(status: 302, locations: ["/wall"], stateToken: 3) == .failed(.loop(wall)))
    #expect(chain.hops == 5)
  }

  @Test func `does not take another userinfo or scheme for a loop`() throws {
    var chain = try chain("http://a/")
    #expect(chain.answered(status: 302, locations: ["https://a/"]) != .failed(.loop(chain.current)))
    #expect(chain.answered(status: 302, locations: ["https://u:p@a/"]) != .failed(.loop(chain.current)))
    #expect(chain.hops == 2)
  }

  @Test func `stops at the cap`() throws {
    var chain = try chain("http://a/0", maxHops: 3)
    for hop in 1...3 {
      let next = try WebURL("http://a/\(hop)")
      #expect(chain.answered(status: 302, locations: ["/\(hop)"]) == .follow(next, method: .same))
    }
    #expect(chain.answered(status: 302, locations: ["/4"]) == .failed(.tooMany(limit: 3)))
    #expect(chain.answered(status: 200, locations: []) == .final)
    #expect(chain.current.path == "/3")
  }

  @Test func `without hops still reaches pages that do not redirect`() throws {
    var chain = try chain(maxHops: 0)
    #expect(chain.answered(status: 200, locations: []) == .final)
    #expect(chain.answered(status: 301, locations: ["/y"]) == .failed(.tooMany(limit: 0)))
  }

  @Test func `follows Locations that are not UTF-8`() throws {
    var chain = try chain("http://a/")
    let step = chain.answered(status: 301, rawLocations: [Array("/caf".utf8) + [0xE9]])
    #expect(step == .follow(try WebURL("http://a/caf%E9"), method: .same))
  }

  @Test func `cuts hostile targets before it reports them`() throws {
    var chain = try chain()
    let location = "x:" + String(repeating: "y", count: 60_000)
    guard case .failed(.unsupportedScheme(let target, _)) = chain.answered(status: 301, locations: [location])
    else {
      Issue.record("followed")
      return
    }
    #expect(target == "x:" + String(repeating: "y", count: 198) + "…")
  }
}
