import HTTPMessages
import HTTPServer
import Posix
import Testing

@Suite(.timeLimit(.minutes(1)))
struct EndingTests {
  private func service(_ began: Signal, _ goOn: Signal) -> Service {
    Service { head, _ in
      guard head.path == "/slow" else { return .answer(Response(200, text: head.path)) }
      return .task { _ in
        began.raise()
        await withTaskCancellationHandler {
          await goOn.wait()
        } onCancel: {
          goOn.raise()
        }
        return .whole(Response(200, text: Task.isCancelled ? "cancelled" : "done"))
      }
    }
  }

  @Test func `what is under way is answered, idle connections end, and no new one is accepted`() async throws
  {
    let (began, goOn) = (Signal(), Signal())
    try await withServer(service(began, goOn)) { port, server in
      let (idle, slow, inHead) = (try Peer(port: port), try Peer(port: port), try Peer(port: port))
      for peer in [idle, inHead] { _ = try await peer.ask(get("/a")) }
      try await inHead.send("GET /b HTTP/1.1\r\nHost: a")
      try await slow.send(get("/slow"))
      await began.wait()
      let finishing = Task { await server.finish(within: 20_000) }
      #expect(try await idle.rest() == "")
      #expect(throws: (any Error).self) { try Peer(port: port) }
      goOn.raise()
      let answer = try await slow.rest()
      #expect(answer.contains("\r\nConnection: close\r\n"))
      #expect(answer.hasSuffix("done\n"))
      try await inHead.send("\r\n\r\n")
      #expect(try await inHead.rest().contains("\r\nConnection: close\r\n"))
      await finishing.value
    }
  }

  @Test func `an answer that is being taken is sent to its end, and then the connection ends`() async throws {
    let answer = Response(ResponseHead(200), body: Array(repeating: UInt8(ascii: "x"), count: 20 << 20))
    let never = limits { $0.connection.idle = 1_000_000 }
    try await withServer(Service { _, _ in .answer(answer) }, never) { port, server in
      let peer = try Peer(port: port)
      try await peer.send(get("/"))
      _ = try await peer.read { $0.isEmpty ? nil : 1 }
      let finishing = Task { await server.finish(within: 1_000_000) }
      #expect(try await peer.rest().utf8.count > 20 << 20)
      await finishing.value
    }
  }

  @Test func `what takes longer is cut, and its task cancelled`() async throws {
    let (began, goOn) = (Signal(), Signal())
    try await withServer(service(began, goOn)) { port, server in
      let slow = try Peer(port: port)
      try await slow.send(get("/slow"))
      await began.wait()
      await server.finish(within: 100)
      // Its task raised it.
      await goOn.wait()
      #expect(try await slow.rest() == "")
    }
  }

  @Test func `a server that is dropped ends`() async throws {
    let listener = try Listener(port: 0)
    var server: HTTPServer? = try HTTPServer([listener], .plain)
    let peer = try Peer(port: listener.port)
    #expect(try await peer.ask(get("/a")).hasSuffix("/a\n"))
    withExtendedLifetime(server) {}
    server = nil
    #expect(try await peer.rest() == "")
  }

  @Test func `a second signal ends all at once`() async throws {
    let (began, goOn) = (Signal(), Signal())
    try await withServer(service(began, goOn)) { port, server in
      let slow = try Peer(port: port)
      try await slow.send(get("/slow"))
      await began.wait()
      let finishing = Task { await server.finish(within: 1_000_000) }
      await server.finish(within: 0)
      await finishing.value
      #expect(try await slow.rest() == "")
    }
  }

  @Test func `a stream is cut at the end of the time`() async throws {
    let ended = Signal()
    let service = Service { _, _ in
      .task { _ in
        .stream(ResponseHead(200)) { stream in
          try await stream.write(Array("news".utf8))
          let forever = Signal()
          await withTaskCancellationHandler {
            await forever.wait()
          } onCancel: {
            forever.raise()
          }
          ended.raise()
        }
      }
    }
    try await withServer(service) { port, server in
      let peer = try Peer(port: port)
      try await peer.send(get("/"))
      _ = try await peer.read { $0.firstEnd(of: "news\r\n") }
      await server.finish(within: 100)
      await ended.wait()
    }
  }
}
