import HTTPMessages
import HTTPServer
import Posix
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StreamingTests {
  private static func stream(_ produce: @escaping @Sendable (ResponseStream) async throws -> Void) -> Service
  {
    Service { head, _ in
      head.path == "/stream"
        ? .task { _ in .stream(ResponseHead(200), produce) } : .answer(Response(200, text: head.path))
    }
  }

  @Test func `an answer is sent as it is made, and the connection stays`() async throws {
    let goOn = Signal()
    let service = Self.stream { stream in
      try await stream.write(Array("one".utf8))
      await goOn.wait()
      try await stream.write(Array("two".utf8))
    }
    try await withServer(service) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send(get("/stream"))
      let start = try await peer.read { $0.firstEnd(of: "3\r\none\r\n") }
      #expect(start.contains("\r\nTransfer-Encoding: chunked\r\n"))
      goOn.raise()
      #expect(try await peer.read { $0.firstEnd(of: "0\r\n\r\n") } == "3\r\ntwo\r\n0\r\n\r\n")
      #expect(try await peer.ask(get("/next")).hasSuffix("/next\n"))
    }
  }

  @Test func `in HTTP/1.0 it ends with the connection`() async throws {
    try await withServer(Self.stream { try await $0.write(Array("bytes".utf8)) }) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let answer = try await peer.rest()
      #expect(answer.contains("\r\nConnection: close\r\n"))
      #expect(answer.hasSuffix("\r\n\r\nbytes"))
    }
  }

  @Test func `a stream that fails is cut, so that it does not look whole`() async throws {
    struct Broken: Error {}
    let sent = Signal()
    let service = Self.stream { stream in
      try await stream.write(Array("half".utf8))
      await sent.wait()
      throw Broken()
    }
    try await withServer(service) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send(get("/stream"))
      _ = try await peer.read { $0.firstEnd(of: "half\r\n") }
      sent.raise()
      await #expect(throws: (any Error).self) { try await peer.answer() }
    }
  }

  @Test func `a slow reader holds up its own stream and no one else`() async throws {
    let written = Lock(0)
    let part = Array(repeating: UInt8(ascii: "x"), count: 10_000)
    let service = Self.stream { stream in
      for _ in 0..<2_000 {
        try await stream.write(part)
        written.withLock { $0 += 1 }
      }
    }
    try await withServer(service) { port, _ in
      let slow = try Peer(port: port)
      try await slow.send(get("/stream", "Connection: close\r\n"))
      _ = try await slow.read { $0.isEmpty ? nil : 1 }
      for _ in 0..<50 {
        let honest = try Peer(port: port)
        #expect(try await honest.ask(get("/a")).hasSuffix("/a\n"))
      }
      // The system's buffers take a few megabytes, and the server no more than 64 KiB.
      #expect(written.withLock { $0 } < 2_000)
      let rest = try await slow.rest()
      #expect(rest.hasSuffix("\r\n0\r\n\r\n"))
      #expect(rest.utf8.count { $0 == UInt8(ascii: "x") } == 2_000 * 10_000)
    }
  }

  @Test func `a writer learns that its client left`() async throws {
    let left = Signal()
    let service = Self.stream { stream in
      do {
        while true { try await stream.write(Array(repeating: 0, count: 10_000)) }
      } catch {
        left.raise()
        throw error
      }
    }
    try await withServer(service) { port, _ in
      var peer: Peer? = try Peer(port: port)
      try await peer?.send(get("/stream"))
      _ = try await peer?.read { $0.isEmpty ? nil : 1 }
      peer = nil
      await left.wait()
    }
  }

  @Test func `a task is cancelled when its client leaves`() async throws {
    let (began, cancelled) = (Signal(), Signal())
    let service = Service { _, _ in
      .task { _ in
        began.raise()
        await withTaskCancellationHandler {
          await cancelled.wait()
        } onCancel: {
          cancelled.raise()
        }
        return .whole(Response(200, text: "late"))
      }
    }
    try await withServer(service) { port, _ in
      var peer: Peer? = try Peer(port: port)
      try await peer?.send(get("/"))
      await began.wait()
      peer = nil
      await cancelled.wait()
      // What it makes all the same is for no one.
      let other = try Peer(port: port)
      #expect(try await other.ask(get("/")).hasSuffix("late\n"))
    }
  }
}
