import FetchCurl
import Pipeline
import PipelineTesting
import Posix
import Testing

/// Large bodies share a bounded memory.
struct BodyRoomTests {
  private static let bodyBytes = 200_000
  private static let head = "HTTP/1.1 200 OK\r\nContent-Length: \(bodyBytes)\r\n\r\n"
  private static let half = [UInt8](repeating: 120, count: bodyBytes / 2)
  /// Room for one such body.
  private static let settings = loopbackSettings { $0.largeBodyBytes = 300_000 }

  private static func whole(_ peer: RawPeer) {
    guard peer.readRequest() != nil else { return }
    peer.send(head)
    peer.send(half)
    peer.send(half)
  }

  private static func request(_ server: RawServer, within milliseconds: Int64 = 10_000) -> FetchRequest {
    FetchRequest(
      url: server.url, body: .whole(capBytes: 1 << 20), deadline: deadline(inMilliseconds: milliseconds))
  }

  @Test func `bodies that have no room beside each other come one after another, and whole`() async throws {
    let count = 6
    let begun = Lock(0)
    let server = RawServer { peer in
      guard peer.readRequest() != nil else { return }
      peer.send(Self.head)
      peer.send(Self.half)
      begun.withLock { $0 += 1 }
      while begun.withLock({ $0 }) < count, !peer.awaitHangUp(milliseconds: 5) {}
      peer.send(Self.half)
    }
    let fetching = CurlFetching(settings: Self.settings)
    defer {
      fetching.shutdown()
      server.stop()
    }
    let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<count { group.addTask { try await fetching.fetch(Self.request(server)).get().body.count } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes == Array(repeating: Self.bodyBytes, count: count))
    #expect(server.connectionCount > count, "none of them had to begin again")
  }

  @Test func `bodies that are still kept leave no room for a large one, until they are let go`() async {
    let server = RawServer(Self.whole)
    let fetching = CurlFetching(settings: Self.settings)
    defer {
      fetching.shutdown()
      server.stop()
    }
    fetching.keeps(bytes: 300_000)
    let failure = await fetching.fetch(Self.request(server, within: 300)).failure
    #expect(failure?.kind == .timeout)
    #expect(failure?.stage == .queue)
    fetching.keeps(bytes: 0)
    #expect(await fetching.fetch(Self.request(server)).failure == nil)
  }

  @Test func `a small body waits for no room`() async throws {
    let server = RawServer(replying(page(String(repeating: "x", count: 60_000))))
    let fetching = CurlFetching(settings: Self.settings)
    defer {
      fetching.shutdown()
      server.stop()
    }
    fetching.keeps(bytes: 300_000)
    #expect(try await fetching.fetch(Self.request(server)).get().body.count == 60_000)
  }
}
