import Posix
import Testing

@testable import MetricsHTTP

@Suite(.timeLimit(.minutes(1)))
struct ScrapeServerTests {
  private func server() throws -> ScrapeServer {
    try ScrapeServer.start(host: "127.0.0.1", port: 0) { path in
      path == "/metrics" ? ScrapeAnswer(200, "up 1") : .notFound
    }
  }

  private func port(of server: ScrapeServer) throws -> UInt16 {
    try #require(UInt16(server.address.split(separator: ":").last ?? ""))
  }

  /// All that comes until the server closes.
  private func ask(_ request: String, _ server: ScrapeServer) throws -> String {
    let socket = try StreamSocket.connect(port: port(of: server))
    try socket.write(Array(request.utf8))
    return try everything(from: socket)
  }

  private func everything(from socket: StreamSocket) throws -> String {
    var answer: [UInt8] = []
    while true {
      let part = try socket.read(milliseconds: 10_000)
      guard !part.isEmpty else { return String(decoding: answer, as: UTF8.self) }
      answer += part
    }
  }

  @Test func `idle connections hold nobody up`() throws {
    let server = try server()
    let idle = try (0..<60).map { _ in try StreamSocket.connect(port: port(of: server)) }
    let socket = try StreamSocket.connect(port: port(of: server))
    try socket.write(Array("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    // Each idle one had a second before.
    #expect(try !socket.read(milliseconds: 3_000).isEmpty)
    withExtendedLifetime(idle) {}
    server.end()
  }

  @Test(arguments: [
    ("GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 200 OK\r\n", "\r\n\r\nup 1\n"),
    ("GET /metrics?a=b HTTP/1.0\r\n\r\n", "HTTP/1.1 200 OK\r\n", "\r\n\r\nup 1\n"),
    ("HEAD /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n", "Connection: close\r\n\r\n"),
    ("GET /other HTTP/1.1\r\n\r\n", "HTTP/1.1 404 Not Found\r\n", "/readyz\n"),
    ("POST /metrics HTTP/1.1\r\n\r\n", "HTTP/1.1 405 Method Not Allowed\r\n", "HEAD\n"),
    ("GET /metrics\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", "not a request\n"),
    ("\u{1}\u{2}\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n", "not a request\n"),
  ])
  func `a request gets its answer`(request: String, start: String, end: String) throws {
    let server = try server()
    let answer = try ask(request, server)
    #expect(answer.hasPrefix(start))
    #expect(answer.hasSuffix(end))
    server.end()
  }

  @Test func `a client that says nothing is let go, and the next one is served`() throws {
    let server = try server()
    let silent = try StreamSocket.connect(port: port(of: server))
    #expect(try ask("GET /metrics HTTP/1.1\r\n\r\n", server).contains("up 1"))
    #expect(try everything(from: silent) == "")
    server.end()
  }

  @Test func `a request that never ends is cut off`() throws {
    let server = try server()
    let socket = try StreamSocket.connect(port: port(of: server))
    #expect(throws: PosixError.self) {
      for _ in 0..<1_000 { try socket.write(Array(repeating: UInt8(ascii: "a"), count: 4_096)) }
    }
    #expect(try ask("GET /metrics HTTP/1.1\r\n\r\n", server).contains("up 1"))
    server.end()
  }

  @Test func `it also serves at an IPv6 address`() throws {
    let server = try ScrapeServer.start(host: "::1", port: 0) { _ in .notFound }
    #expect(server.address.hasPrefix("[::1]:"))
    server.end()
  }

  @Test func `an address that is none, or is taken, cannot be served`() throws {
    #expect(throws: PosixError.self) {
      try ScrapeServer.start(host: "localhost", port: 0) { _ in .notFound }
    }
    let server = try server()
    let port = try port(of: server)
    #expect(throws: PosixError.self) {
      try ScrapeServer.start(host: "127.0.0.1", port: port) { _ in .notFound }
    }
    server.end()
  }

  @Test func `what cannot be prepared is not served`() throws {
    struct Refused: Error {}
    #expect(throws: Refused.self) {
      try ScrapeServer.start(
        host: "127.0.0.1", port: 0, prepare: { throw Refused() }, answering: { _ in .notFound })
    }
  }
}
