import FetchCurl
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct HeaderTests {
  /// Header lines as sent, and how the value of X (or Location) reads.
  @Test(arguments: [
    ("X: plain", "X", "plain"),
    ("x:   spaces around \t", "X", "spaces around"),
    ("X:", "X", ""),
    ("X: folded\r\n  over lines", "X", "folded over lines"),
    ("X: café", "X", "café"),
    ("Bad Name: 1\r\nX: after a line that is none", "X", "after a line that is none"),
    ("Location: /ü?q=1", "Location", "/ü?q=1"),
  ])
  func `header lines are read as sent`(_ lines: String, _ name: String, _ value: String) async throws {
    let reply = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(lines)\r\n\r\n"
    let response = try await exchange(with: replying(reply)).get()
    #expect(response.header(name) == value)
    #expect(response.headers.count == 2)
  }

  @Test func `bytes that are not UTF-8 are Latin-1, and in links percent-encoded`() async throws {
    let lines = "HTTP/1.1 302 Found\r\nContent-Length: 0\r\nX: caf#\r\nLocation: /caf#\r\n\r\n"
    let reply = lines.utf8.map { $0 == UInt8(ascii: "#") ? 0xE9 : $0 }
    let response = try await exchange(with: replying(reply)).get()
    #expect(response.header("X") == "café")
    #expect(response.header("Location") == "/caf%E9")
  }

  @Test func `informational answers are dropped`() async throws {
    let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
    let response = try await exchange(with: replying(hints + hints + page("done"))).get()
    #expect(response.status == 200)
    #expect(response.header("Link") == nil)
    #expect(text(response) == "done")
  }

  @Test func `trailers are dropped`() async throws {
    let reply = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Late: 1\r\n\r\n"
    let response = try await exchange(with: replying(reply)).get()
    #expect(text(response) == "ok")
    #expect(response.header("X-Late") == nil)
  }

  @Test func `the request carries the adapter's headers and the caller's, and no proxy's`() async throws {
    let settings = loopbackSettings { $0.userAgent = "halyard-test" }
    let headers = [HeaderField("X-Mine", "1"), HeaderField("X-Empty", "")]
    let response = try await exchange(headers: headers, settings: settings) { peer in
      guard let request = peer.readRequest() else { return }
      peer.send(page(request))
    }.get()
    let lines = text(response).split(separator: "\r\n").map(String.init)
    #expect(lines.first == "GET / HTTP/1.1")
    for line in ["User-Agent: halyard-test", "X-Mine: 1", "X-Empty:"] { #expect(lines.contains(line)) }
    #expect(lines.contains { $0.hasPrefix("Accept-Encoding: ") && $0.contains("gzip") })
  }
}
