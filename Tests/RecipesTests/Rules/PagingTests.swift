import JSONQuery
import Testing

@testable import Recipes

/// The way from page to page.
struct PagingTests {
  private func next(_ paging: String, _ document: String, links: [String] = []) throws -> String {
    let call = paging.contains("pages") ? "http://a.test/x{?page}" : "http://a.test/x"
    let read = try recipe(
      #"{"steps": {"s": {"call": "\#(call)", "next": \#(paging), "select": "/d"}}, "output": 1}"#)
    let response = CallResponse(try json(document), from: "http://a.test/b/c?d", links: links)
    do throws(RecipeFailure) {
      switch try read.steps[0].reading.answer(from: response).next {
      case .none: return "none"
      case .address(let address): return address
      case .pages(let count): return "\(count) pages"
      }
    } catch {
      return "\(error.kind): \(error.message)"
    }
  }

  @Test(arguments: [
    (#"{"pointer": "/n"}"#, #"{"d":[],"n":"http://b.test/?page=2"}"#, "http://b.test/?page=2"),
    (#"{"pointer": "$.n"}"#, #"{"d":[],"n":"?page=2#x"}"#, "http://a.test/b/c?page=2"),
    (#"{"pointer": "/n"}"#, #"{"d":[],"n":"/y"}"#, "http://a.test/y"),
    (#"{"pointer": "/n"}"#, #"{"d":[],"n":null}"#, "none"), (#"{"pointer": "/n"}"#, #"{"d":[]}"#, "none"),
    (#"{"pointer": "/n"}"#, #"{"d":[],"n":""}"#, "none"),
    (
      #"{"pointer": "/n"}"#, #"{"d":[],"n":7}"#,
      "decode_mismatch: the next page of http://a.test/b/c?d is not an address but the number 7"
    ),
    (
      #"{"pointer": "/n"}"#, #"{"d":[],"n":"file:///etc/passwd"}"#,
      "decode_mismatch: the next page of http://a.test/b/c?d is not an http or https address: 'file:///etc/passwd'"
    ),
    (#"{"pages": "/n"}"#, #"{"d":[],"n":12}"#, "12 pages"),
    (
      #"{"pages": "/n"}"#, #"{"d":[],"n":-1}"#,
      "decode_mismatch: http://a.test/b/c?d does not tell the number of its pages"
    ),
    (
      #"{"pages": "/n"}"#, #"{"d":[],"n":"3"}"#,
      "decode_mismatch: http://a.test/b/c?d does not tell the number of its pages"
    ),
    (
      #"{"pages": "/n"}"#, #"{"d":{},"n":3}"#,
      "decode_mismatch: a page of http://a.test/b/c?d must be an array to go on behind it, found an object"
    ),
  ])
  func `a document tells the way on`(paging: String, document: String, way: String) throws {
    #expect(try next(paging, document) == way)
  }

  @Test(arguments: [
    ([#"<https://api.test/?page=2>; rel="next""#], "https://api.test/?page=2"),
    ([#"</?p=1>; rel="prev", </?p=3>; rel="next""#], "http://a.test/?p=3"),
    ([#"</1>; rel="prev""#, #"</3>;rel=next"#], "http://a.test/3"),
    ([#"</a,b;c>; title="x, y; rel=next \" <z>"; rel="start NEXT""#], "http://a.test/a,b;c"),
    ([#"</1>; rel="next"; rel="prev""#], "http://a.test/1"), ([#"</1>; rel="prev"; rel="next""#], "none"),
    ([##"</1>; rel="next"; anchor="#x""##, #"</2>; rel = "next" "#], "http://a.test/2"),
    ([#"</1>; rel="nextish""#], "none"), ([#"</1>; x; rel="next""#], "http://a.test/1"),
    (["<>; rel=next"], "none"), (["</1"], "none"), (["</1>; rel=\"next"], "http://a.test/1"), ([], "none"),
    ([", ,</1>;rel=a,, </2> ; rel=next"], "http://a.test/2"), (["rubbish, </2>; rel=next"], "none"),
  ])
  func `Link headers tell the way on`(links: [String], way: String) throws {
    #expect(try next(#"{"link": "next"}"#, #"{"d":[]}"#, links: links) == way)
  }

  @Test func `pages are counted up to the last or the cap`() {
    var walk = PageWalk(startingAt: "http://a/", most: 3)
    #expect(walk.answered(.pages(2)) == .calls(2...2))
    #expect(walk.answered(.pages(2)) == .end)
    #expect(!walk.isCapped)
    #expect(walk.answered(.pages(9)) == .calls(3...3))
    #expect(walk.isCapped)
    #expect(walk.answered(.pages(.max)) == .end)
    #expect(walk.answered(.pages(0)) == .end)
  }

  @Test func `an address that was read already ends the walk`() {
    var walk = PageWalk(startingAt: "http://a/1", most: 100)
    #expect(walk.answered(.address("http://a/2")) == .call(page: 2, address: "http://a/2"))
    #expect(walk.answered(.address("http://a/3")) == .call(page: 3, address: "http://a/3"))
    #expect(walk.answered(.address("http://a/2")) == .circle)
    #expect(walk.answered(.address("http://a/1")) == .circle)
    #expect(walk.answered(.none) == .end)
  }

  @Test func `however a server leads on, a walk ends`() {
    var random = SplitMix(state: 8)
    for most in 1...60 {
      var walk = PageWalk(startingAt: "http://a/0", most: most)
      var calls = 1
      walking: while true {
        switch walk.answered(.address("http://a/\(Int.random(in: 0..<100, using: &random))")) {
        case .call: calls += 1
        case .calls(let pages): calls += pages.count
        case .end, .capped, .circle: break walking
        }
      }
      #expect(calls <= most)
    }
  }
}
