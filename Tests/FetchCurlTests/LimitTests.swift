import Pipeline
import PipelineTesting
import Testing

@testable import FetchCurl

@Suite(.timeLimit(.minutes(10)))
struct LimitTests {
  @Test func `a server that never answers ends at the first byte's limit`() async {
    let settings = loopbackSettings { $0.firstByteLimit = 150 }
    let failure = await exchange(settings: settings) { $0.awaitHangUp() }.failure
    #expect(failure?.kind == .timeout)
    #expect(failure?.stage == .firstByte)
    #expect(failure?.message.hasSuffix(": timed out after 150 ms waiting for the first byte") == true)
  }

  @Test func `a handshake that is never answered ends at the tls limit`() async {
    let server = RawServer { $0.awaitHangUp() }
    let fetching = CurlFetching(settings: loopbackSettings { $0.tlsLimit = 150 })
    defer {
      fetching.shutdown()
      server.stop()
    }
    let answer = await fetching.fetch(
      FetchRequest(url: "https://127.0.0.1:\(server.port)/", body: .nothing, deadline: deadline()))
    #expect(answer.failure?.stage == .tls)
    #expect(answer.failure?.message.hasSuffix(": timed out after 150 ms in the TLS handshake") == true)
  }

  @Test func `a connection that is never accepted ends at the connect limit`() async {
    let server = RawServer.full()
    let fetching = CurlFetching(settings: loopbackSettings { $0.connectLimit = 150 })
    defer {
      fetching.shutdown()
      server.stop()
    }
    let answer = await fetching.fetch(
      FetchRequest(url: server.url, body: .nothing, deadline: deadline()))
    #expect(answer.failure?.stage == .connect)
    #expect(answer.failure?.message.hasSuffix(": timed out after 150 ms connecting") == true)
  }

  @Test func `headers that trickle end at the deadline`() async {
    let failure = await exchange(deadline: deadline(inMilliseconds: 1_000)) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\n")
      while peer.send("X-Slow: 1\r\n"), !peer.awaitHangUp(milliseconds: 20) {}
    }.failure
    #expect(failure?.kind == .timeout)
    #expect(failure?.stage == .headers)
  }

  @Test func `a body that trickles ends at the deadline`() async {
    let failure = await exchange(deadline: deadline(inMilliseconds: 1_000)) { peer in
      _ = peer.readRequest()
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
      while peer.send("x"), !peer.awaitHangUp(milliseconds: 20) {}
    }.failure
    #expect(failure?.kind == .timeout)
    #expect(failure?.stage == .body)
    #expect(failure?.message.contains(": timed out after ") == true)
  }

  /// Where a server falls silent.
  enum Silence: CaseIterable {
    case connect, tls, firstByte, headers, body

    func server() -> RawServer {
      switch self {
      case .connect: .full()
      case .tls, .firstByte: RawServer { $0.awaitHangUp() }
      case .headers: RawServer(Self.falling(silentAfter: "HTTP/1.1 200 OK\r\nX-A: "))
      case .body: RawServer(Self.falling(silentAfter: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"))
      }
    }

    var stage: Stage {
      switch self {
      case .connect: .connect
      case .tls: .tls
      case .firstByte: .firstByte
      case .headers: .headers
      case .body: .body
      }
    }

    private static func falling(silentAfter text: String) -> RawServer.Handler {
      { peer in
        _ = peer.readRequest()
        peer.send(text)
        peer.awaitHangUp()
      }
    }
  }

  /// No phase has a limit of its own that would end it before the deadline, or long after.
  @Test(arguments: Silence.allCases)
  func `no phase outlives its deadline`(_ silence: Silence) async {
    let server = silence.server()
    let fetching = CurlFetching(
      settings: loopbackSettings { settings in
        settings.connectLimit = 120_000
        settings.tlsLimit = 120_000
        settings.firstByteLimit = 120_000
        settings.restLimit = 120_000
      })
    defer {
      fetching.shutdown()
      server.stop()
    }
    let scheme = silence == .tls ? "https" : "http"
    let start = wallClock()
    let request = FetchRequest(
      url: "\(scheme)://127.0.0.1:\(server.port)/", body: .page(capBytes: 100),
      deadline: deadline(inMilliseconds: 1_000))
    // Where other tests keep nothing busy.
    let (failure, milliseconds) = await Task(executorPreference: fetching.executor) {
      let failure = await fetching.fetch(request).failure
      return (failure, wallClock().milliseconds(since: start))
    }.value
    #expect(failure?.kind == .timeout)
    #expect(failure?.stage == silence.stage)
    #expect((900..<60_000).contains(milliseconds))
  }

  @Test func `a deadline that is past is a timeout before anything is dialled`() async {
    let failure = await exchange(deadline: deadline(inMilliseconds: -1), with: replying(page(""))).failure
    #expect(failure?.kind == .timeout)
  }

  @Test func `an exchange that waits for its turn keeps its deadline`() async {
    let (requests, arrived) = AsyncStream.makeStream(of: String.self)
    let server = RawServer { peer in
      arrived.yield(peer.readRequest() ?? "")
      _ = peer.awaitHangUp()
    }
    let fetching = CurlFetching(settings: loopbackSettings { $0.transfers = 1 })
    defer {
      fetching.shutdown()
      server.stop()
    }
    let url = server.url
    let holding = Task {
      await fetching.fetch(FetchRequest(url: url, body: .nothing, deadline: deadline()))
    }
    await first(of: requests)
    let waiting = await fetching.fetch(
      FetchRequest(url: url, body: .nothing, deadline: deadline(inMilliseconds: 200)))
    #expect(waiting.failure?.kind == .timeout)
    #expect(waiting.failure?.stage == .queue)
    holding.cancel()
    _ = await holding.value
  }

  @Test(arguments: [(0, "0 ms"), (150, "150 ms"), (1_000, "1 s"), (2_540, "2.5 s"), (10_000, "10 s")])
  func `durations read like a person would write them`(_ milliseconds: Int64, _ text: String) {
    #expect(shownDuration(milliseconds: milliseconds) == text)
  }
}
