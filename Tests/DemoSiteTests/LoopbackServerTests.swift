import DemoSite
import Posix
import Testing

struct LoopbackServerTests {
  private static func echo(_ exchange: Exchange) throws(PosixError) -> AfterAnswer {
    let text = "\(exchange.request.method) \(exchange.request.target)"
    try exchange.write(Array("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8))
    return .keepAlive
  }

  @Test func `one connection carries one request after the other`() throws {
    let server = try LoopbackServer.start(handler: Self.echo)
    let client = try RawClient(port: server.port)
    #expect(try client.get("/a").text == "GET /a")
    #expect(try client.get("/b?c=d").text == "GET /b?c=d")
    server.stop()
    #expect(try client.isAtEnd())
  }

  @Test func `requests in one packet, in pieces and with bodies are told apart`() throws {
    let server = try LoopbackServer.start(handler: Self.echo)
    let client = try RawClient(port: server.port)
    try client.send(
      "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /GET /2 HTTP/1.1\r\nHost: a\r\n\r")
    #expect(try client.read().text == "POST /1")
    try client.send("\nHEAD /3 HTTP/1.0\r\n\r\n")
    #expect(try client.read().text == "GET /2")
    #expect(try client.read().text == "HEAD /3")
    server.stop()
  }

  @Test(arguments: [
    "hello\r\n", "GET /\r\n", "GET / SMTP\r\n", "GET  / HTTP/1.1\r\nHost: a\r\n",
    "GET / HTTP/1.11\r\nHost: a\r\n",
    "GET / HTTP/2.0\r\nHost: a\r\n", "G\u{e9}T / HTTP/1.1\r\nHost: a\r\n",
    "GET /\u{7f} HTTP/1.1\r\nHost: a\r\n", "\r\n",
    " GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\nHost: a\r\n", "GET / HTTP/1.1\rHost: a\r\n",
  ])
  func `a request line that another reader could read otherwise is refused`(head: String) throws {
    try expectRefusal("400 Bad Request", of: head + "\r\n")
  }

  @Test(arguments: [
    "no colon", "Host : a", "Host\t: a", ": a", "X: a\r\n folded: b", "X: a\nContent-Length: 5", "X: a\0b",
    "X(: a", "Host: b", "Content-Length: -1", "Content-Length: +1", "Content-Length: 1, 1",
    "Content-Length: 0x1",
    "Content-Length:", "Content-Length: 99999999999999999999", "Content-Length: 1\r\nContent-Length: 1",
    "Content-Length: 1\r\nContent-Length: 2", "Content-Length: 3\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 3", "Transfer-Encoding: identity\r\nContent-Length: 3",
  ])
  func `a header that another reader could read otherwise is refused`(header: String) throws {
    try expectRefusal("400 Bad Request", of: "POST / HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n")
  }

  @Test func `a request names one host`() throws {
    try expectRefusal("400 Bad Request", of: "GET / HTTP/1.1\r\n\r\n")
    try expectRefusal("400 Bad Request", of: "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n")
  }

  @Test(arguments: ["chunked", " chunked ", "chunked, identity", "xchunked", "gzip"])
  func `a body without a length is refused`(coding: String) throws {
    try expectRefusal(
      "411 Length Required",
      of:
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\nGET /stolen HTTP/1.1\r\n\r\n"
    )
  }

  /// And what stands behind it is never answered.
  private func expectRefusal(_ status: String, of request: String) throws {
    let server = try LoopbackServer.start(handler: Self.echo)
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try client.send(request)
    let answer = try client.read()
    #expect(answer.statusLine == "HTTP/1.1 \(status)")
    #expect(answer.headers["connection"] == "close")
    #expect(try client.isAtEnd())
  }

  @Test func `a head of more than 64 KiB ends the connection`() throws {
    let server = try LoopbackServer.start(handler: Self.echo)
    let client = try RawClient(port: server.port)
    #expect(throws: (any Error).self) {
      // Closing with bytes unread resets the connection, which may hit the sending or the reading.
      try client.get("/", headers: "x: \(String(repeating: "y", count: 200_000))\r\n")
    }
    server.stop()
  }

  @Test func `a handler may close without an answer`() throws {
    let server = try LoopbackServer.start { _ in .close }
    let client = try RawClient(port: server.port)
    #expect(throws: RawClient.NoAnswer.self) { try client.get("/") }
    server.stop()
  }

  @Test func `stop wakes a handler that waits, and frees the port`() throws {
    let entered = try StopSignal()
    let server = try LoopbackServer.start { exchange throws(PosixError) in
      entered.raise()
      try exchange.delay(milliseconds: 600_000)
      return .close
    }
    let client = try RawClient(port: server.port)
    try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    let signal = #expect(throws: PosixError.self) { try entered.sleep(milliseconds: 10_000) }
    #expect(signal?.isStopped == true)
    server.stop()
    server.stop()
    #expect(try client.isAtEnd())
    #expect(try Listener(port: server.port).port == server.port)
  }

  @Test func `a server that is dropped stops by itself`() throws {
    let client: RawClient
    do {
      let server = try LoopbackServer.start(handler: Self.echo)
      client = try RawClient(port: server.port)
      #expect(try client.get("/").text == "GET /")
    }
    #expect(try client.isAtEnd())
  }

  @Test func `no more connections are served at once than the bound allows`() throws {
    let state = Lock((now: 0, most: 0))
    let server = try LoopbackServer.start(maximumConnections: 2) { exchange throws(PosixError) in
      state.withLock { state in
        state.now += 1
        state.most = max(state.most, state.now)
      }
      try exchange.delay(milliseconds: 2)
      try exchange.write(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
      state.withLock { $0.now -= 1 }
      return .close
    }
    let clients = try (0..<24).map { _ in try RawClient(port: server.port) }
    for client in clients { try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
    for client in clients { #expect(try client.read().statusLine == "HTTP/1.1 204 No Content") }
    #expect(state.withLock { $0.most } <= 2)
    server.stop()
  }

  @Test func `a request tells its headers and its query`() throws {
    let seen = Lock<RequestHead?>(nil)
    let server = try LoopbackServer.start { exchange throws(PosixError) in
      seen.withLock { $0 = exchange.request }
      return .close
    }
    let client = try RawClient(port: server.port)
    try client.send("GET /p?a=1&b=&c HTTP/1.1\r\nHost: a\r\nX-Thing:  one: two\r\n\r\n")
    #expect(try client.isAtEnd())
    let request = try #require(seen.withLock { $0 })
    #expect(request.path == "/p")
    #expect(request.header("x-thing") == "one: two")
    #expect(request.query("a") == "1")
    #expect(request.query("b") == "")
    #expect(request.query("c") == nil)
    server.stop()
  }
}
