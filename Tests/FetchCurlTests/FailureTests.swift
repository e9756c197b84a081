import FetchCurl
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FailureTests {
  /// What a server sends before it closes, and what comes of it.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let reply: String
    let kind: FailureKind
    let stage: Stage
    let retryable: Bool
    let cause: String
    var testDescription: String { name }
  }

  static let rows = [
    Row(
      name: "nothing at all", reply: "", kind: .protocolError, stage: .firstByte, retryable: true,
      cause: "the peer closed without an answer"),
    Row(
      name: "the start of a status line", reply: "HTTP/1.1 20", kind: .protocolError, stage: .firstByte,
      retryable: true, cause: ""),
    Row(
      name: "a status line alone", reply: "HTTP/1.1 200 OK\r\n", kind: .protocolError, stage: .headers,
      retryable: true, cause: "the peer closed in the middle of the headers"),
    Row(
      name: "the start of a header", reply: "HTTP/1.1 200 OK\r\nContent-Ty", kind: .protocolError,
      stage: .headers, retryable: true, cause: "the peer closed in the middle of the headers"),
    Row(
      name: "headers without their end", reply: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n",
      kind: .protocolError, stage: .headers, retryable: true,
      cause: "the peer closed in the middle of the headers"),
    Row(
      name: "an informational answer alone", reply: "HTTP/1.1 103 Early Hints\r\n\r\n", kind: .protocolError,
      stage: .firstByte, retryable: true, cause: "the peer closed without an answer"),
    Row(
      name: "no status line", reply: "SSH-2.0-OpenSSH_9.2\r\n\r\n", kind: .protocolError, stage: .firstByte,
      retryable: false, cause: "HTTP/0.9"),
    Row(
      name: "a broken version", reply: "HTTP/9.9 200 OK\r\n\r\n", kind: .protocolError, stage: .firstByte,
      retryable: false, cause: "HTTP version"),
    Row(
      name: "a body shorter than announced", reply: "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
      kind: .protocolError, stage: .body, retryable: true, cause: "the body ended too early"),
    Row(
      name: "chunks without an end",
      reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", kind: .protocolError,
      stage: .body, retryable: true, cause: "the body ended too early"),
    Row(
      name: "a chunk size that is none",
      reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n", kind: .protocolError,
      stage: .body, retryable: false, cause: "hunk"),
    Row(
      name: "a length below nothing", reply: "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabc",
      kind: .protocolError, stage: .headers, retryable: false, cause: "Content-Length"),
    Row(
      name: "a length that is no number", reply: "HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nabc",
      kind: .protocolError, stage: .headers, retryable: false, cause: "Content-Length"),
    Row(
      name: "a chunk without its line end",
      reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloworld\r\n0\r\n\r\n",
      kind: .protocolError, stage: .body, retryable: false, cause: "hunk"),
    Row(
      name: "a chunk larger than there are numbers",
      reply: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhello",
      kind: .protocolError, stage: .body, retryable: false, cause: "hunk"),
    Row(
      name: "a status that is no number", reply: "HTTP/1.1 ABC OK\r\n\r\n", kind: .protocolError,
      stage: .firstByte, retryable: false, cause: ""),
    Row(
      name: "binary noise", reply: "\u{16}\u{3}\u{1}\0\u{7F}\u{8}\r\n\r\n", kind: .protocolError,
      stage: .firstByte, retryable: false, cause: "HTTP/0.9"),
    Row(
      name: "a header without colon", reply: "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", kind: .protocolError,
      stage: .headers, retryable: false, cause: "without colon"),
    Row(
      name: "a flood of header lines",
      reply: "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Flood: 0123456789\r\n", count: 5_000),
      kind: .headerTooLarge, stage: .headers, retryable: false, cause: "the headers are larger than 65536"),
    Row(
      name: "a header line without end",
      reply: "HTTP/1.1 200 OK\r\nX-Flood: " + String(repeating: "0123456789", count: 15_000),
      kind: .headerTooLarge, stage: .headers, retryable: false, cause: "header line"),
  ]

  @Test(arguments: rows) func `a faulty reply is a typed failure`(_ row: Row) async {
    let failure = await exchange(.whole(capBytes: 1 << 20), with: replying(row.reply)).failure
    #expect(failure?.kind == row.kind)
    #expect(failure?.stage == row.stage)
    #expect(failure?.retryable == row.retryable)
    #expect(failure?.message.hasPrefix("fetch http://127.0.0.1:") == true)
    #expect(failure?.message.contains(row.cause) == true, "\(failure?.message ?? "")")
  }

  @Test(arguments: [BodyPolicy.page(capBytes: 100), .whole(capBytes: 100)])
  func `what goes wrong with a body leaves status and headers standing`(_ wish: BodyPolicy) async throws {
    let reply = "HTTP/1.1 203 Fine\r\nContent-Type: text/x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"
    let response = try await exchange(wish, with: replying(reply)).get()
    #expect(response.status == 203)
    #expect(response.header("content-type") == "text/x")
    #expect(response.bodyFailure?.kind == .protocolError)
    #expect(response.bodyFailure?.stage == .body)
    #expect(response.truncated)
  }

  @Test func `an unreachable network is a connect failure`() async {
    // Of all addresses the one that no system routes.
    let fetching = CurlFetching(settings: CurlSettings(now: wallClock) { _, _ in nil })
    defer { fetching.shutdown() }
    let url = "http://[fe80::1]/"
    let answer = await fetching.fetch(FetchRequest(url: url, body: .nothing, deadline: deadline()))
    #expect(answer.failure?.kind == .connect)
    #expect(answer.failure?.stage == .connect)
    #expect(answer.failure?.retryable == true)
  }

  @Test func `a port on which nobody listens is a connect failure`() async {
    let fetching = CurlFetching(settings: loopbackSettings())
    defer { fetching.shutdown() }
    let url = "http://127.0.0.1:\(UnusedPort.number)/"
    let answer = await fetching.fetch(FetchRequest(url: url, body: .nothing, deadline: deadline()))
    #expect(
      answer.failure
        == Failure(.connect, at: .connect, "fetch \(url): cannot connect to 127.0.0.1: Connection refused"))
  }

  @Test func `a reset before the first byte is a connect failure`() async {
    let failure = await exchange { peer in
      _ = peer.readRequest()
      peer.resetOnClose()
    }.failure
    #expect(failure?.kind == .connect)
    #expect(failure?.stage == .firstByte)
    #expect(failure?.message.hasSuffix(": Connection reset by peer") == true)
  }

  @Test func `a reset in data that must be whole is a connect failure`() async {
    let failure = await exchange(.whole(capBytes: 100)) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      peer.resetOnClose()
    }.failure
    #expect(failure?.kind == .connect)
  }

  @Test func `an answer that is not TLS is a tls failure`() async {
    let server = RawServer { peer in
      peer.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      peer.awaitHangUp()
    }
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      server.stop()
    }
    let answer = await fetching.fetch(
      FetchRequest(url: "https://127.0.0.1:\(server.port)/", body: .nothing, deadline: deadline()))
    #expect(answer.failure?.kind == .tls)
    #expect(answer.failure?.stage == .tls)
    #expect(answer.failure?.retryable == false)
    #expect(answer.failure?.message.contains("wrong version number") == true)
  }

  @Test(arguments: [
    ("http://\(String(repeating: "a", count: 70)).test/", FailureKind.dns, Stage.dns),
    ("ftp://127.0.0.1/", .unsupportedScheme, .input),
    ("file:///etc/passwd", .unsupportedScheme, .input),
    ("http://user:secret@127.0.0.1/", .invalidInput, .input),
    ("http://127.0.0.1:99999/", .invalidInput, .input),
    ("http:// /", .invalidInput, .input),
    ("", .invalidInput, .input),
  ])
  func `a URL that leads nowhere fails for ever`(_ url: String, _ kind: FailureKind, _ stage: Stage) async {
    let fetching = CurlFetching(settings: loopbackSettings())
    defer { fetching.shutdown() }
    let failure = await fetching.fetch(FetchRequest(url: url, body: .nothing, deadline: deadline())).failure
    #expect(failure?.kind == kind)
    #expect(failure?.stage == stage)
    #expect(failure?.retryable == false)
    #expect(failure?.message.contains("secret") == false)
  }

  @Test(arguments: [
    HeaderField("X-A", "1\r\nHost: evil"), HeaderField("X-A", "1\nX-B: 2"), HeaderField("X-A", "\0"),
    HeaderField("X-A\r\nX-B", "1"), HeaderField("X A", "1"), HeaderField("X:", "1"), HeaderField("", "1"),
  ])
  func `a header that would break the request is refused`(_ header: HeaderField) async {
    let failure = await exchange(headers: [header], with: replying(page(""))).failure
    #expect(failure?.kind == .invalidInput)
    #expect(failure?.stage == .input)
  }

  @Test func `a refused connection does not colour the failure of a later exchange`() async {
    let server = RawServer(replying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n"))
    let fetching = CurlFetching(settings: loopbackSettings { $0.transfers = 1 })
    defer {
      fetching.shutdown()
      server.stop()
    }
    func failure(_ url: String) async -> Failure? {
      await fetching.fetch(
        FetchRequest(url: url, body: .whole(capBytes: 1_000), deadline: deadline())
      ).failure
    }
    #expect(await failure("http://127.0.0.1:1/")?.kind == .connect)
    let broken = await failure(server.url)
    #expect(broken?.kind == .protocolError)
    #expect(broken?.retryable == false)
  }
}
