import HTTPMessages
import HTTPServer
import Posix
import Testing

/// Answers that come from elsewhere, without a task.
@Suite(.timeLimit(.minutes(1)))
struct LaterAnswerTests {
  /// What requests for `/later` wait for.
  private final class Elsewhere: Sendable {
    let began = Signal()
    let isLate = Signal()
    let hasLeft = Signal()
    private let completion = Lock<Reaction.Completion?>(nil)

    func complete(_ text: String) {
      completion.withLock { $0 }?({ Response(200, text: text) })
    }

    func service(within time: Milliseconds) -> Service {
      Service { [self] head, _ in
        guard head.path == "/later" else { return .answer(Response(200, text: head.path)) }
        return .later(within: time) { completion in
          self.completion.withLock { $0 = completion }
          self.began.raise()
          return Waiting {
            self.isLate.raise()
            return Response(504, text: "too late")
          } left: {
            self.hasLeft.raise()
          }
        }
      }
    }
  }

  @Test func `the next request waits for it`() async throws {
    let elsewhere = Elsewhere()
    try await withServer(elsewhere.service(within: 60_000)) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send(get("/1") + get("/later") + get("/2"))
      #expect(try await peer.answer().hasSuffix("\r\n\r\n/1\n"))
      await elsewhere.began.wait()
      elsewhere.complete("here")
      #expect(try await peer.answer().hasSuffix("\r\n\r\nhere\n"))
      #expect(try await peer.answer().hasSuffix("\r\n\r\n/2\n"))
    }
  }

  @Test func `after the time something stands in for it, and it is for no one`() async throws {
    let elsewhere = Elsewhere()
    try await withServer(elsewhere.service(within: 1)) { port, _ in
      let peer = try Peer(port: port)
      #expect(try await peer.ask(get("/later")).hasPrefix("HTTP/1.1 504 "))
      elsewhere.complete("here")
      #expect(try await peer.ask(get("/2")).hasSuffix("\r\n\r\n/2\n"))
    }
  }

  @Test func `one answer of several is given`() async throws {
    let elsewhere = Elsewhere()
    try await withServer(elsewhere.service(within: 60_000)) { port, _ in
      let peer = try Peer(port: port)
      try await peer.send(get("/later"))
      await elsewhere.began.wait()
      for text in ["first", "second"] { elsewhere.complete(text) }
      #expect(try await peer.answer().hasSuffix("\r\n\r\nfirst\n"))
      #expect(try await peer.ask(get("/2")).hasSuffix("\r\n\r\n/2\n"))
    }
  }

  @Test func `who asked learns that the client left`() async throws {
    let elsewhere = Elsewhere()
    try await withServer(elsewhere.service(within: 60_000)) { port, _ in
      var peer: Peer? = try Peer(port: port)
      try await peer?.send(get("/later"))
      await elsewhere.began.wait()
      peer = nil
      await elsewhere.hasLeft.wait()
      elsewhere.complete("here")
      #expect(try await Peer(port: port).ask(get("/2")).hasSuffix("\r\n\r\n/2\n"))
    }
  }

  @Test func `what is awaited at the end of the time is cut`() async throws {
    let elsewhere = Elsewhere()
    try await withServer(elsewhere.service(within: 60_000)) { port, server in
      let peer = try Peer(port: port)
      try await peer.send(get("/later"))
      await elsewhere.began.wait()
      await server.finish(within: 1)
      await elsewhere.hasLeft.wait()
      #expect(try await peer.rest() == "")
    }
  }
}
