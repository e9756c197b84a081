import Glibc
import HTTPMessages
import HTTPServer
import Posix
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SheddingTests {
  @Test func `when there is no room, the longest idle go first, then the longest in their heads`()
    async throws
  {
    let limits = limits {
      $0.connections = 3
      // However long the test takes, no head is slow.
      $0.connection.head = 1_000_000
    }
    try await withServer(.plain, limits) { port, _ in
      // An answer tells that the bytes behind its request have been read, too.
      let inHead = try await asked(get("/a") + "GET /b", at: port)
      let idle = try await asked(get("/a"), at: port)
      let lessIdle = try await asked(get("/a"), at: port)

      let fourth = try await asked(get("/a") + "GET /c", at: port)
      #expect(try await idle.rest() == "")
      #expect(try await lessIdle.ask(get("/a") + "GET /d").hasSuffix("/a\n"))

      _ = try await asked(get("/a"), at: port)
      #expect(try await inHead.rest() == "")
      for peer in [lessIdle, fourth] {
        #expect(try await peer.ask(" HTTP/1.1\r\nHost: a\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
      }
    }
  }

  @Test func `a client that has just come does not give way to the next one`() async throws {
    try await withServer(.plain, limits { $0.connections = 2 }) { port, _ in
      let slow = [
        try await asked(get("/a") + "GET /b", at: port), try await asked(get("/a") + "GET /b", at: port),
      ]
      let first = try Peer(port: port)
      // The second one has been accepted when it has its answer.
      let second = try await asked(get("/c"), at: port)
      #expect(try await first.ask(get("/d")).hasSuffix("/d\n"))
      #expect(try await second.ask(get("/e")).hasSuffix("/e\n"))
      for peer in slow { #expect(try await peer.rest() == "") }
    }
  }

  /// A client that has had the answer to its first request.
  private func asked(_ text: String, at port: UInt16) async throws -> Peer {
    let peer = try Peer(port: port)
    #expect(try await peer.ask(text).hasPrefix("HTTP/1.1 200 "))
    return peer
  }

  @Test func `when all are at work, a new client is told so`() async throws {
    let (began, goOn) = (Signal(), Signal())
    let service = Service { _, _ in
      .task { _ in
        began.raise()
        await goOn.wait()
        return .whole(Response(200, text: "done"))
      }
    }
    try await withServer(service, limits { $0.connections = 1 }) { port, _ in
      let first = try Peer(port: port)
      try await first.send(get("/"))
      await began.wait()
      let second = try Peer(port: port)
      try await second.send(get("/"))
      let answer = try await second.rest()
      #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
      #expect(answer.contains("\r\nRetry-After: 1\r\n"))
      goOn.raise()
      #expect(try await first.answer().hasSuffix("done\n"))
    }
  }

  @Test func `one address has its number of connections`() async throws {
    let limits = limits {
      $0.connectionsOfAddress = 2
      $0.isTrusted = { _ in false }
    }
    try await withServer(.plain, limits) { port, _ in
      let (first, second) = (try Peer(port: port), try Peer(port: port))
      for peer in [first, second] { _ = try await peer.ask(get("/a")) }
      #expect(try await Peer(port: port).rest().hasPrefix("HTTP/1.1 503 "))
      #expect(try await first.ask(get("/a", "Connection: close\r\n")).hasSuffix("/a\n"))
      #expect(try await first.rest() == "")
      #expect(try await second.ask(get("/a")).hasSuffix("/a\n"))
    }
  }

  @Test func `a server without descriptors goes on serving`() async {
    await #expect(processExitsWith: .success) {
      try await withServer(.plain) { port, _ in
        let first = try Peer(port: port)
        _ = try await first.ask(get("/a"))
        // Clients are made before, or they were the ones without descriptors.
        var sockets: [Peer] = []
        for _ in 0..<20 { sockets.append(try Peer(port: port)) }
        for peer in sockets { _ = try await peer.ask(get("/a")) }
        setDescriptorLimit(64)
        // Each needs a descriptor at both ends: those of idle ones are taken.
        for _ in 0..<200 {
          guard let peer = try? Peer(port: port) else { continue }
          sockets.append(peer)
          guard (try? await peer.ask(get("/a"))) != nil else { continue }
        }
        sockets = []
        guard try await Peer(port: port).ask(get("/b")).hasSuffix("/b\n") else { exit(1) }
      }
    }
  }

  @Test func `who cannot be accepted is told so when all others are at work`() async {
    await #expect(processExitsWith: .success) {
      let began = Signal()
      let service = Service { head, _ in
        guard head.path == "/slow" else { return .answer(Response(200, text: head.path)) }
        return .task { _ in
          began.raise()
          let never = Signal()
          await withTaskCancellationHandler {
            await never.wait()
          } onCancel: {
            never.raise()
          }
          return .whole(Response(200, text: "late"))
        }
      }
      try await withServer(service) { port, _ in
        let working = try Peer(port: port)
        try await working.send(get("/slow"))
        await began.wait()
        setDescriptorLimit(100)
        var held: [Descriptor] = []
        while let descriptor = try? Descriptor.reading(path: "/dev/null") { held.append(descriptor) }
        // The client's end takes the last one.
        held.removeLast()
        guard try answer(at: port).hasPrefix("HTTP/1.1 503 ") else { exit(1) }
        held = []
        guard try await Peer(port: port).ask(get("/a")).hasSuffix("/a\n") else { exit(2) }
      }
    }
  }
}

private func setDescriptorLimit(_ count: UInt) {
  var limit = rlimit(rlim_cur: count, rlim_max: count)
  _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// What a client gets that says nothing.
private func answer(at port: UInt16) throws -> String {
  let socket = try StreamSocket.connect(port: port)
  var answer: [UInt8] = []
  while true {
    let bytes = try socket.read(milliseconds: 20_000)
    guard !bytes.isEmpty else { return String(decoding: answer, as: UTF8.self) }
    answer += bytes
  }
}
