import FetchCurl
import Pipeline
import PipelineTesting
import Synchronization
import Testing

/// What servers send beside headers and bodies.
@Suite(.timeLimit(.minutes(10)))
struct TrafficTests {
  /// What comes once, then what comes for ever.
  struct Flood: Sendable, CustomTestStringConvertible {
    let name: String
    let start: String
    let rest: String
    var wish = BodyPolicy.whole(capBytes: 100_000)
    let kind: FailureKind?
    var testDescription: String { name }
  }

  private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let long = String(repeating: "x", count: 60_000)

  static let floods = [
    Flood(name: "a chunk's extension without end", start: chunked + "5;", rest: long, kind: .protocolError),
    Flood(
      name: "a page's chunk extension without end", start: chunked + "5;", rest: long,
      wish: .page(capBytes: 100),
      kind: .protocolError),
    Flood(
      name: "extensions of one-byte chunks", start: chunked, rest: "1;\(long)\r\nx\r\n", kind: .protocolError),
    Flood(
      name: "an extension behind the start of a page", start: chunked + "5\r\n<p>hi\r\n5;", rest: long,
      wish: .page(capBytes: 100), kind: nil),
    Flood(
      name: "an extension where nothing is wanted", start: chunked + "5\r\n<p>hi\r\n5;", rest: long,
      wish: .nothing, kind: nil),
    Flood(name: "trailers", start: chunked + "0\r\n", rest: "X-A: 1\r\n", kind: .headerTooLarge),
    Flood(name: "one trailer without end", start: chunked + "0\r\nX-A: ", rest: long, kind: nil),
    Flood(
      name: "informational answers", start: "", rest: "HTTP/1.1 103 Hints\r\n\r\n", kind: .headerTooLarge),
    Flood(name: "empty lines before the status line", start: "", rest: "\r\n", kind: .protocolError),
    Flood(name: "header lines", start: "HTTP/1.1 200 OK\r\n", rest: "X-A: 1\r\n", kind: .headerTooLarge),
    Flood(
      name: "one header line without end", start: "HTTP/1.1 200 OK\r\nX-A: ", rest: long,
      kind: .headerTooLarge),
    Flood(
      name: "a folded header line without end", start: "HTTP/1.1 200 OK\r\nX-A: 1\r\n", rest: " x\r\n",
      kind: .headerTooLarge),
    Flood(name: "a status line without end", start: "HTTP/1.1 200 ", rest: long, kind: nil),
    Flood(name: "no status line at all", start: "", rest: long, kind: nil),
  ]

  /// A socket of this machine holds several MB more in its buffers, and is looked at every 50 ms.
  @Test(arguments: floods) func `a flood ends, whatever it is of`(_ flood: Flood) async throws {
    let sent = Atomic(0)
    let answer = await exchange(flood.wish, settings: Self.settings) { peer in
      _ = peer.readRequest()
      peer.send(flood.start)
      let piece = [UInt8](String(repeating: flood.rest, count: max(1, 60_000 / flood.rest.utf8.count)).utf8)
      while peer.send(piece) { sent.add(piece.count, ordering: .relaxed) }
    }
    if let kind = flood.kind { #expect(answer.failure?.kind == kind, "\(answer)") }
    #expect(sent.load(ordering: .relaxed) < 400 << 20)
  }

  @Test func `what came of a page before a flood is kept`() async throws {
    let response = try await exchange(.page(capBytes: 1_000), settings: Self.settings) { peer in
      _ = peer.readRequest()
      peer.send(Self.chunked + "5\r\n<p>hi\r\n5;")
      while peer.send([UInt8](repeating: 120, count: 60_000)) {}
    }.get()
    #expect(text(response) == "<p>hi")
    #expect(response.truncated)
    #expect(response.bodyFailure == nil)
  }

  /// Each exchange has a share of its own, and what the earlier ones received is not counted again.
  @Test func `large bodies one after the other on one connection are no flood`() async throws {
    let body = [UInt8](repeating: 120, count: 900_000)
    let server = RawServer { peer in
      while peer.readRequest() != nil {
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
        // The exchange is looked at more than once.
        for start in stride(from: 0, to: body.count, by: 300_000) {
          if peer.awaitHangUp(milliseconds: 60) { return }
          peer.send(Array(body[start..<(start + 300_000)]))
        }
      }
    }
    let fetching = CurlFetching(settings: loopbackSettings { $0.wireBodyCapBytes = 1 << 20 })
    defer {
      fetching.shutdown()
      server.stop()
    }
    for _ in 0..<6 {
      let answer = await fetching.fetch(
        FetchRequest(url: server.url, body: .whole(capBytes: 1 << 20), deadline: deadline()))
      #expect(try answer.get().body.count == body.count)
    }
    #expect(server.connectionCount == 1)
  }

  @Test func `a flood on a connection that was used before ends too`() async throws {
    let sent = Atomic(0)
    let server = RawServer { peer in
      guard peer.readRequest() != nil else { return }
      peer.send(page("ok"))
      guard peer.readRequest() != nil else { return }
      peer.send(Self.chunked + "5;")
      while peer.send([UInt8](repeating: 120, count: 60_000)) { sent.add(60_000, ordering: .relaxed) }
    }
    let fetching = CurlFetching(settings: Self.settings)
    defer {
      fetching.shutdown()
      server.stop()
    }
    func answer() async -> Answer {
      await fetching.fetch(FetchRequest(url: server.url, body: .whole(capBytes: 1_000), deadline: deadline()))
    }
    #expect(await answer().failure == nil)
    #expect(await answer().failure?.kind == .protocolError)
    #expect(server.connectionCount == 1)
    #expect(sent.load(ordering: .relaxed) < 400 << 20)
  }

  private static let settings = loopbackSettings { $0.wireBodyCapBytes = 100_000 }
}
