import Links
import Testing

struct `A refresh` {
  @Test(
    arguments: [
      ("5", 5, nil),
      ("0;url=x", 0, "x"),
      ("0; URL='x'", 0, "x"),
      ("0; url=\"x\"", 0, "x"),
      ("0,url=x", 0, "x"),
      (".5;x", 0, "x"),
      ("0.9;x", 0, "x"),
      ("1.2.3 x", 1, "x"),
      ("0 x", 0, "x"),
      ("\t 0 \n ; \r\u{0C} UrL \t = \n x", 0, "x"),
      ("0;;x", 0, ";x"),
      ("0; ;x", 0, ";x"),
      ("0 ; , x", 0, ", x"),
      ("0;", 0, nil),
      ("0; ", 0, nil),
      ("0;url=", 0, ""),
      ("0;url", 0, "url"),
      ("0;urlx=y", 0, "urlx=y"),
      ("0;upper", 0, "upper"),
      ("0;ur/x", 0, "ur/x"),
      ("0;'x'y", 0, "x"),
      ("0;url='x\"y'z", 0, "x\"y"),
      ("0;url='unclosed", 0, "unclosed"),
      ("0;url=''", 0, ""),
      ("0;url=a b", 0, "a b"),
      ("0;url=url=x", 0, "url=x"),
      ("10;x", 10, "x"),
      ("007;x", 7, "x"),
      ("99999999999999999999;x", 21_474_836_479, "x"),
    ] as [(String, Int, String?)])
  func `is read as the HTML standard says`(value: String, seconds: Int, reference: String?) throws {
    let refresh = try #require(Refresh(value))
    #expect(refresh.seconds == seconds)
    #expect(refresh.reference == reference)
  }

  @Test(arguments: ["", " ", "x", "url=x", ";x", "-1;x", "+1;x", "5x", "5x;y", "0\u{0B};x", "٣;x"])
  func `that is none is ignored`(value: String) {
    #expect(Refresh(value) == nil)
  }

  @Test(arguments: [("10;x", true), ("10.9;x", true), ("11;x", false), ("0;x", true)])
  func `is followed up to ten seconds`(value: String, isFollowed: Bool) throws {
    #expect(try #require(Refresh(value)).isFollowed == isFollowed)
  }

  @Test(arguments: [
    ("0;/y", "http://a/y#frag"),
    ("0;/y#own", "http://a/y#own"),
    ("0;/y#", "http://a/y"),
    ("0;?r", "http://a/p/x?r#frag"),
    ("0;url=//b/", "http://b/#frag"),
    ("0;HTTP:/z", "http://a/z#frag"),
  ])
  func `leads on from its page and takes the fragment along`(value: String, href: String) throws {
    let page = try WebURL("http://a/p/x?q#frag")
    #expect(try #require(Refresh(value)).target(from: page, base: page)?.href == href)
  }

  @Test(arguments: [
    "0", "0;", "0;url=", "0;x?q", "0;#other", "0;http://a/p/x?q#z", "0;javascript:alert(1)", "0;mailto:a@b",
    "0;http://[/",
  ])
  func `to its own page, or to nothing that can be fetched, leads nowhere`(value: String) throws {
    let page = try WebURL("http://a/p/x?q#frag")
    #expect(try #require(Refresh(value)).target(from: page, base: page) == nil)
  }

  @Test func `is relative to the base of its page`() throws {
    let (page, base) = (try WebURL("http://a/p/x#f"), try WebURL("https://b/dir/"))
    #expect(try #require(Refresh("0;y")).target(from: page, base: base)?.href == "https://b/dir/y#f")
  }
}

struct `A chain with refreshes` {
  @Test func `counts them as hops, closes loops over them, and turns into GET`() throws {
    var chain = RedirectChain(start: try WebURL("http://a/1"), maxHops: 2)
    let second = try WebURL("http://a/2")
    #expect(chain.refreshed(to: second) == .follow(second, method: .get))
    #expect(chain.answered(status: 302, locations: ["/1"]) == .failed(.loop(try WebURL("http://a/1"))))
    _ = chain.answered(status: 302, locations: ["/3"])
    #expect(chain.hops == 2)
    #expect(chain.refreshed(to: try WebURL("http://a/4")) == .failed(.tooMany(limit: 2)))
  }

  @Test func `goes on elsewhere as if it had never stopped`() throws {
    var chain = RedirectChain(start: try WebURL("http://a/1"), maxHops: 3)
    _ = chain.answered(status: 302, locations: ["/2"])
    let third = try WebURL("http://a/3")
    var (resumed, step) = RedirectChain.resumed(after: chain.visits, at: third, maxHops: 3)
    #expect(step == .follow(third, method: .get))
    #expect(resumed.hops == 2)
    #expect(resumed.answered(status: 302, locations: ["/2"]) == .failed(.loop(try WebURL("http://a/2"))))
    #expect(resumed.answered(status: 302, locations: ["/4"]) != .final)
    #expect(resumed.answered(status: 302, locations: ["/5"]) == .failed(.tooMany(limit: 3)))
    let first = try WebURL("http://a/1")
    #expect(RedirectChain.resumed(after: chain.visits, at: first, maxHops: 3).step == .failed(.loop(first)))
    #expect(
      RedirectChain.resumed(after: chain.visits, at: first, maxHops: 3, stateToken: 7).step
        == .follow(first, method: .get))
  }
}
