import HTTPMessages
import HTTPServer
import Posix
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SlowClientTests {
  @Test func `a head that does not end is cut, though its bytes keep coming`() async throws {
    try await withServer(.plain, limits { $0.connection.head = 300 }) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
      let trickle = Task { while true { try await peer.send("x") } }
      #expect(try await Peer(port: port).ask(get("/a")).hasSuffix("/a\n"))
      await #expect(throws: (any Error).self) { try await trickle.value }
    }
  }

  @Test func `a client is told that its request took too long`() async throws {
    try await withServer(.plain, limits { $0.connection.head = 100 }) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send("GET / HTTP/1.1\r\n")
      #expect(try await peer.rest().hasPrefix("HTTP/1.1 408 "))
    }
  }

  @Test func `a body that does not come is cut`() async throws {
    try await withServer(.plain, limits { $0.connection.body = 100 }) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf")
      #expect(try await peer.rest().hasPrefix("HTTP/1.1 408 "))
    }
  }

  @Test func `an idle connection is closed without a word`() async throws {
    try await withServer(.plain, limits { $0.connection.idle = 100 }) { port, _ in
      let (silent, asked) = (try Peer(port: port), try Peer(port: port))
      _ = try await asked.ask(get("/a"))
      #expect(try await silent.rest() == "")
      #expect(try await asked.rest() == "")
    }
  }

  @Test func `a client that does not take its answer is cut`() async throws {
    let limits = limits {
      $0.connection.answer = 200
      $0.connection.head = 1_000
    }
    let large = Response(ResponseHead(200), body: Array(repeating: 0, count: 20 << 20))
    let service = Service { _, _ in .answer(large) }
    try await withServer(service, limits) { port, _ in
      let slow = try Peer(port: port)
      try await slow.send(get("/"))
      _ = try await slow.read { $0.isEmpty ? nil : 1 }
      // The deadline of this one is later, and when it is over, so is the first.
      let late = try Peer(port: port)
      try await late.send("GET / HTTP/1.1\r\nHost: a\r\n")
      _ = try? await late.rest()
      let end = SystemTime.monotonicMicroseconds + 20_000_000
      var total = 0
      while SystemTime.monotonicMicroseconds < end {
        guard let bytes = try? slow.socket.read(milliseconds: 20_000), !bytes.isEmpty else { break }
        total += bytes.count
      }
      #expect(total < 20 << 20)
    }
  }

  @Test func `honest clients are answered while slow and idle ones hold connections`() async throws {
    try await withServer(.plain) { port, _ in
      let idle = try (0..<300).map { _ in try Peer(port: port) }
      let slow = try (0..<100).map { _ in try Peer(port: port) }
      for peer in slow { try await peer.send("GET / HTTP/1.1\r\n") }
      for _ in 0..<100 {
        #expect(try await Peer(port: port).ask(get("/a")).hasSuffix("/a\n"))
      }
      let stays = try Peer(port: port)
      for _ in 0..<100 { #expect(try await stays.ask(get("/echo")).hasPrefix("HTTP/1.1 200")) }
      withExtendedLifetime((idle, slow)) {}
    }
  }

  @Test func `a client that only finished sending still gets its answer`() async throws {
    try await withServer(.plain) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send(get("/a"))
      peer.socket.finishWriting()
      #expect(try await peer.rest().hasSuffix("/a\n"))
    }
  }
}
