import HTTPMessages
import Testing

@Suite struct ResponseTests {
  private let date = Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8)

  private func text(
    of answer: Response, keepsAlive: Bool = true, isHead: Bool = false, isVersion11: Bool = true
  ) -> String {
    var output: [UInt8] = []
    answer.write(
      to: &output, date: date, keepsAlive: keepsAlive, isHead: isHead, isVersion11: isVersion11)
    return String(decoding: output, as: UTF8.self)
  }

  @Test func `an answer has its length and its date`() {
    let expected = """
      HTTP/1.1 404 Not Found\r
      Content-Type: text/plain; charset=utf-8\r
      Date: Sun, 06 Nov 1994 08:49:37 GMT\r
      Content-Length: 5\r
      \r
      none

      """
    #expect(text(of: Response(404, text: "none")) == expected)
  }

  @Test func `HEAD gets the same without the body`() {
    let answer = Response(200, text: "a body")
    #expect(text(of: answer).hasPrefix(text(of: answer, isHead: true)))
    #expect(text(of: answer, isHead: true).hasSuffix("Content-Length: 7\r\n\r\n"))
  }

  @Test func `the client is told whether the connection stays`() {
    let answer = Response(200, text: "")
    #expect(!text(of: answer).contains("Connection"))
    #expect(text(of: answer, keepsAlive: false).contains("\r\nConnection: close\r\n"))
    #expect(text(of: answer, isVersion11: false).contains("\r\nConnection: keep-alive\r\n"))
  }

  @Test(arguments: [204, 304])
  func `an answer that has no content has no length either`(status: Int) {
    let text = text(of: Response(ResponseHead(status), body: [1]))
    #expect(text.hasSuffix("GMT\r\n\r\n"))
    #expect(!text.contains("Content-Length"))
  }

  @Test(arguments: ["a\r\nX: b", "a\rb", "a\nb", "a\0b", "\u{7F}"])
  func `a field that would break its line is left out`(value: String) {
    var head = ResponseHead(302)
    head.add("Location", value)
    #expect(head == ResponseHead(302))
  }

  @Test func `fields stand in their order`() {
    var head = ResponseHead(200)
    head.add("Cache-Control", "no-store")
    head.add("Location", "/ä?b=c")
    #expect(text(of: Response(head)).contains("OK\r\nCache-Control: no-store\r\nLocation: /ä?b=c\r\nDate"))
  }

  @Test func `a streamed answer ends with its chunks, or with the connection`() {
    func head(isVersion11: Bool) -> String {
      var output: [UInt8] = []
      ResponseHead(200).write(
        to: &output, length: nil, date: date, keepsAlive: true, isVersion11: isVersion11)
      return String(decoding: output, as: UTF8.self)
    }
    #expect(head(isVersion11: true).hasSuffix("\r\nTransfer-Encoding: chunked\r\n\r\n"))
    #expect(head(isVersion11: false).hasSuffix("\r\nConnection: close\r\n\r\n"))
    #expect(Chunk.framed(Array(repeating: 0x61, count: 26)).starts(with: Array("1a\r\naaa".utf8)))
    #expect(Chunk.framed([]) == [])
  }

  @Test(arguments: [
    ("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("W/\"b\",W/\"a\"", true), ("*", true),
    (" \"a\" ", true), ("\"b\"", false), ("a", false), ("\"a", false), ("", false), ("\"aa\"", false),
    ("\"b, \"a\"", false), ("w/\"a\"", false),
  ])
  func `a client's version is compared weakly`(field: String, matches: Bool) throws {
    #expect(try #require(EntityTag("a")).isNamed(by: field) == matches)
  }

  @Test func `a version has no quotes, blanks or control bytes`() {
    #expect(EntityTag("a-1")?.text == "\"a-1\"")
    for text in ["a\"b", "a b", "a\r\n"] { #expect(EntityTag(text) == nil) }
  }
}
