import HTTPMessages
import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AnsweringTests {
  @Test func `requests of one connection are answered one after another`() async throws {
    try await withServer(.plain) { port, _ in
      let peer = try Peer(port: port)
      for path in ["/a", "/b?c=d", "/echo"] {
        let answer = try await peer.ask(get(path))
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(answer.contains("\r\nDate: "))
        #expect(!answer.contains("Connection:"))
      }
    }
  }

  @Test func `pipelined requests are answered in their order, slow ones too`() async throws {
    try await withServer(.plain) { port, _ in
      let peer = try Peer(port: port)
      let slow = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nslow"
      try await peer.send(get("/1") + slow + get("/2") + slow + get("/3", "Connection: close\r\n"))
      for body in ["/1\n", "slow", "/2\n", "slow", "/3\n"] {
        #expect(try await peer.answer().hasSuffix("\r\n\r\n\(body)"))
      }
      #expect(try await peer.rest() == "")
    }
  }

  @Test func `nothing of the next request is read while one is being answered`() async throws {
    let (asked, answered) = (Signal(), Signal())
    let service = Service { head, _ in
      if head.path == "/next" {
        asked.raise()
        return .answer(Response(200, text: "next"))
      }
      return .task { _ in
        await answered.wait()
        return .whole(Response(200, text: "first"))
      }
    }
    try await withServer(service) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send(get("/first") + get("/next"))
      answered.raise()
      #expect(try await peer.answer().hasSuffix("first\n"))
      #expect(try await peer.answer().hasSuffix("next\n"))
      await asked.wait()
    }
  }

  @Test func `a thousand pipelined requests get a thousand answers`() async throws {
    try await withServer(.plain, limits { $0.connection.requests = 2_000 }) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send((0..<1_000).map { get("/\($0)") }.joined())
      for number in 0..<1_000 { #expect(try await peer.answer().hasSuffix("\r\n\r\n/\(number)\n")) }
    }
  }

  @Test func `a body comes whole, however it is sent`() async throws {
    try await withServer(.plain) { port, _ in
      let peer = try Peer(port: port)
      let body = String(repeating: "0123456789", count: 9_000)
      try await peer.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 90000\r\n\r\n")
      #expect(try await peer.ask(body).hasSuffix("\r\n\r\n" + body))
      let chunked =
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
      for byte in chunked { try await peer.send(String(byte)) }
      #expect(try await peer.answer().hasSuffix("\r\n\r\nabcde"))
    }
  }

  @Test func `a body over its route's limit is refused`() async throws {
    try await withServer(.plain) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send(
        "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 100001\r\n\r\n")
      #expect(try await peer.rest().hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test func `a body that is not wanted ends the connection behind the answer`() async throws {
    try await withServer(.plain) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 60\r\n\r\n" + get("/smuggled"))
      let answer = try await peer.rest()
      #expect(answer.contains("\r\nConnection: close\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n/a\n"))
    }
  }

  @Test func `a client is told to go on once its head is accepted`() async throws {
    try await withServer(.plain) { port, _ in
      let peer = try Peer(port: port)
      let head = "POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
      #expect(try await peer.ask(head) == "HTTP/1.1 100 Continue\r\n\r\n")
      #expect(try await peer.ask("hi").hasSuffix("\r\n\r\nhi"))
      // It did not wait for that.
      #expect(try await peer.ask(head + "ho").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
  }

  @Test func `HEAD gets no body from anything`() async throws {
    let service = Service { head, _ in
      switch head.path {
      case "/fast": .answer(Response(200, text: "body"))
      case "/slow": .task { _ in .whole(Response(200, text: "body")) }
      default: .task { _ in .stream(ResponseHead(200)) { try await $0.write(Array("body".utf8)) } }
      }
    }
    try await withServer(service) { port, _ in
      let peer = try Peer(port: port)
      for path in ["/fast", "/slow", "/stream"] {
        try await peer.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await peer.answer(isHead: true).hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
      #expect(try await peer.ask(get("/fast")).hasSuffix("\r\n\r\nbody\n"))
    }
  }

  @Test func `HTTP/1.0 gets one answer, unless it asks for more`() async throws {
    try await withServer(.plain) { port, _ in
      let peer = try Peer(port: port)
      let answer = try await peer.ask("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      #expect(answer.contains("\r\nConnection: keep-alive\r\n"))
      try await peer.send("GET /b HTTP/1.0\r\n\r\n")
      #expect(try await peer.rest().contains("\r\nConnection: close\r\n"))
    }
  }

  @Test func `a connection ends after its number of requests`() async throws {
    try await withServer(.plain, limits { $0.connection.requests = 2 }) { port, _ in
      let peer = try Peer(port: port)
      #expect(try await !peer.ask(get("/1")).contains("Connection"))
      try await peer.send(get("/2") + get("/3"))
      let rest = try await peer.rest()
      #expect(rest.contains("\r\nConnection: close\r\n"))
      #expect(rest.hasSuffix("/2\n"))
    }
  }

  @Test func `what is no request is answered by the owner's body, and the connection ends`() async throws {
    let service = Service(refuse: { Response($0, text: "no: \($1)") }, react: Service.plain.react)
    try await withServer(service) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send(get("/1") + "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + get("/smuggled"))
      #expect(try await peer.answer().hasSuffix("/1\n"))
      let rest = try await peer.rest()
      #expect(rest.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(rest.contains("\r\nConnection: close\r\n"))
      #expect(rest.hasSuffix("no: more than one Host\n"))
    }
  }

  @Test func `a refusal reaches a client that is still sending`() async throws {
    try await withServer(.plain) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send("GET / HTTP/1.1\r\nHost: a b\r\n\r\n" + String(repeating: "x", count: 50_000))
      #expect(try await peer.rest().hasPrefix("HTTP/1.1 400 "))
    }
  }
}
