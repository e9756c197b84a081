import HTTPMessages
import Testing

@Suite struct RequestHeadTests {
  private func head(_ text: String) throws -> RequestHead {
    var parser = RequestParser()
    parser.receive(Array(text.utf8))
    guard case .head(let head) = parser.next() else {
      Issue.record("no head")
      throw Refusal.malformedRequestLine
    }
    return head
  }

  @Test func `fields are found whatever the case of their names`() throws {
    let head = try head(get("X-One:  a, b \r\nx-one: c\r\nEmpty:\r\n"))
    #expect(head["x-one"] == "a, b")
    #expect(head.values("x-one") == ["a, b", "c"])
    #expect(head["empty"] == "")
    #expect(head["other"] == nil)
    #expect(head["host"] == "a")
  }

  @Test(arguments: [
    ("/", "/", [] as [String]), ("/a/b%20c", "/a/b%20c", []),
    ("/a?b=c&d=e+f%2B&g", "/a", ["b=c", "d=e f+", "g="]),
    ("/?url=http://x/?y=z&&=w", "/", ["url=http://x/?y=z", "=w"]), ("/?%C3%A4=%2F", "/", ["ä=/"]),
  ])
  func `the query is decoded, and the path is as it was sent`(target: String, path: String, items: [String])
    throws
  {
    let head = try head(get(target: target))
    #expect(head.path == path)
    #expect(head.queryItems?.map { "\($0.name)=\($0.value)" } == items)
  }

  @Test(arguments: ["/?a=%", "/?%4=1", "/?a=b&c=%GG", "/?a=%E4", "/?a=%4", "/?a=%+1", "/?a=%ff", "/?a=%C3"])
  func `a bad escape in a query is refused`(target: String) throws {
    #expect(try head(get(target: target)).queryItems == nil)
  }

  @Test func `the query is there as it was sent`() throws {
    #expect(try head(get(target: "/?a=%41")).query == "a=%41")
    #expect(try head(get(target: "/?")).query == "")
    #expect(try head(get(target: "/")).query == nil)
  }

  @Test(arguments: [
    ("HTTP/1.1", "", true),
    ("HTTP/1.1", "Connection: close\r\n", false),
    ("HTTP/1.1", "Connection: Upgrade , CLOSE\r\n", false),
    ("HTTP/1.1", "Connection: close\r\nConnection: keep-alive\r\n", false),
    ("HTTP/1.1", "Connection: keep-alive, close\r\n", false),
    ("HTTP/1.0", "", false),
    ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
    ("HTTP/1.0", "Connection: close, keep-alive\r\n", false),
  ])
  func `a client says whether it goes on`(version: String, fields: String, goesOn: Bool) throws {
    #expect(try head(get(fields, version: version)).keepsAlive == goesOn)
  }

  @Test func `a client waits for 100 only in HTTP/1.1`() throws {
    #expect(try head(get("Expect: 100-Continue\r\n")).expectsContinue)
    #expect(try !head(get("Expect: 100-continue\r\n", version: "HTTP/1.0")).expectsContinue)
    #expect(try !head(get()).expectsContinue)
  }
}
