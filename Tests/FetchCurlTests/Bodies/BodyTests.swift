import FetchCurl
import Pipeline
import PipelineTesting
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BodyTests {
  @Test func `a page comes with its status, headers, body and remote address`() async throws {
    let response = try await exchange(with: replying(page("<title>Hi</title>", headers: ["X-A: 1"]))).get()
    #expect(response.status == 200)
    #expect(response.headers == [HeaderField("Content-Length", "17"), HeaderField("X-A", "1")])
    #expect(text(response) == "<title>Hi</title>")
    #expect(!response.truncated)
    #expect(response.remoteAddress == "127.0.0.1")
    #expect(response.timings.firstByte > 0)
    #expect(response.timings.total >= response.timings.firstByte)
  }

  @Test func `the cap counts decoded bytes`() async throws {
    let response = try await exchange(.page(capBytes: 100), with: replying(gzipReply(thousandGzip))).get()
    #expect(text(response) == String(repeating: "a", count: 100))
    #expect(response.truncated)
    let failure = await exchange(.whole(capBytes: 100), with: replying(gzipReply(thousandGzip))).failure
    #expect(failure?.kind == .bodyTooLarge)
  }

  @Test(arguments: [(5, "12345", false), (4, "1234", true), (0, "", true)])
  func `a page is cut at its cap`(_ cap: Int, _ kept: String, _ truncated: Bool) async throws {
    let response = try await exchange(.page(capBytes: cap), with: replying(page("12345"))).get()
    #expect(text(response) == kept)
    #expect(response.truncated == truncated)
  }

  @Test func `an endless page is cut at its cap`() async throws {
    let response = try await exchange(.page(capBytes: 100_000)) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\n\r\n")
      while peer.send([UInt8](repeating: 120, count: 10_000)) {}
    }.get()
    #expect(response.body.count == 100_000)
    #expect(response.truncated && response.isCapped)
  }

  @Test func `a page that its server cut short is not cut at a cap`() async throws {
    let reply = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n<p>"
    let response = try await exchange(.page(capBytes: 1_000), with: replying(reply)).get()
    #expect(response.truncated && !response.isCapped)
  }

  @Test(arguments: [BodyPolicy.page(capBytes: 1 << 20), .whole(capBytes: 1 << 20)])
  func `bytes on the wire have a cap of their own`(_ wish: BodyPolicy) async {
    let settings = loopbackSettings { $0.wireBodyCapBytes = 50_000 }
    let answer = await exchange(wish, settings: settings) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\n\r\n")
      while peer.send([UInt8](repeating: 120, count: 10_000)) {}
    }
    switch (wish, answer) {
    case (.page, .success(let response)):
      #expect(response.truncated && response.isCapped)
      #expect(response.body.count < 200_000)
    case (.whole, .success(let response)):
      let failure = response.bodyFailure
      #expect(failure?.kind == .bodyTooLarge)
    default: Issue.record("\(wish): \(answer)")
    }
  }

  @Test(arguments: [BodyPolicy.page(capBytes: 1 << 20), .whole(capBytes: 1 << 20)])
  func `bytes that decode to nothing have the same cap`(_ wish: BodyPolicy) async throws {
    let settings = loopbackSettings { $0.wireBodyCapBytes = 50_000 }
    let response = try await exchange(wish, settings: settings) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
      // A header with a file name that does not end.
      peer.send([31, 139, 8, 8, 0, 0, 0, 0, 2, 3])
      while peer.send([UInt8](repeating: 120, count: 10_000)) {}
    }.get()
    switch wish {
    case .whole: #expect(response.bodyFailure?.kind == .bodyTooLarge)
    default: #expect(response.truncated && response.body.isEmpty)
    }
  }

  @Test func `data announced as too large is refused before it comes`() async {
    let failure = await exchange(.whole(capBytes: 1_000)) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n")
      peer.awaitHangUp()
    }.failure
    #expect(failure?.kind == .bodyTooLarge)
    #expect(
      failure?.message.hasSuffix(": the body is larger than 1000 bytes") == true)
  }

  @Test func `data that turns out too large is refused`() async {
    let reply = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 1_001)
    let failure = await exchange(.whole(capBytes: 1_000), with: replying(reply)).failure
    #expect(failure?.kind == .bodyTooLarge)
  }

  @Test(arguments: [
    "Content-Length: 10\r\n\r\nabc", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n",
  ])
  func `a page that ends too early keeps what it gave`(_ rest: String) async throws {
    let response = try await exchange(with: replying("HTTP/1.1 200 OK\r\n" + rest)).get()
    #expect(text(response) == "abc")
    #expect(response.truncated)
  }

  @Test func `a compressed page without its end keeps what it gave`() async throws {
    let response = try await exchange(with: replying(gzipReply(Array(EncodedBodies.gzip.prefix(25))))).get()
    #expect(text(response) == "hello, compres")
  }

  @Test func `a page that is reset keeps what it gave`() async throws {
    let response = try await exchange { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      // A reset throws away what the client has not read yet, so it gets time to read.
      peer.awaitHangUp(milliseconds: 50)
      peer.resetOnClose()
    }.get()
    #expect(text(response) == "abc")
    #expect(response.truncated)
  }

  @Test func `HEAD and answers without a body do not wait for one`() async throws {
    let head = try await exchange(.whole(capBytes: 10), method: .head) { peer in
      guard peer.readRequest()?.hasPrefix("HEAD ") == true else { return }
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n")
      peer.awaitHangUp()
    }.get()
    #expect(head.status == 200)
    #expect(head.body.isEmpty)
    let empty = try await exchange(.whole(capBytes: 10)) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 5000\r\n\r\n")
      peer.awaitHangUp()
    }.get()
    #expect(empty.status == 304)
  }
}

private func gzipReply(_ body: [UInt8]) -> [UInt8] {
  [UInt8]("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
}

/// The letter a, 1000 times.
private let thousandGzip: [UInt8] = [
  31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 75, 76, 28, 5, 163, 96, 20, 12, 119, 0, 0, 3, 218, 56, 154, 232, 3, 0, 0,
]
