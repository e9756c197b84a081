import FetchCurl
import Pipeline
import PipelineTesting
import Posix
import Testing

/// Large bodies share a bounded memory.
@Suite(.timeLimit(.minutes(10)))
struct BodyRoomTests {
  private static let bodyBytes = 200_000
  private static let head = "HTTP/1.1 200 OK\r\nContent-Length: \(bodyBytes)\r\n\r\n"
  private static let half = [UInt8](repeating: 120, count: bodyBytes / 2)
  /// Room for one such body.
  private static let settings = loopbackSettings { $0.largeBodyBytes = 300_000 }

  private static func whole(_ peer: RawPeer) {
    guard peer.readRequest() != nil else { return }
    finish(peer)
  }

  private static func request(_ server: RawServer, within milliseconds: Int64 = 60_000) -> FetchRequest {
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

  @Test(arguments: ["Content-Length: 60000\r\n\r\n", "\r\n"])
  func `a small body waits for no room`(_ length: String) async throws {
    let body = [UInt8](repeating: 120, count: 60_000)
    let server = RawServer(replying(Array("HTTP/1.1 200 OK\r\n\(length)".utf8) + body))
    let fetching = CurlFetching(settings: Self.settings)
    defer {
      fetching.shutdown()
      server.stop()
    }
    fetching.keeps(bytes: 300_000)
    #expect(try await fetching.fetch(Self.request(server)).get().body.count == 60_000)
    #expect(server.connectionCount == 1)
  }

  @Test func `a body that comes larger the second time begins once more, with room for the largest`()
    async throws
  {
    let asked = Lock(0)
    let (givenUp, isGivenUp) = AsyncStream.makeStream(of: Void.self)
    let server = RawServer { peer in
      guard peer.readRequest() != nil else { return }
      let isFirst = asked.withLock { count in
        count += 1
        return count == 1
      }
      peer.send(isFirst ? Self.head : "HTTP/1.1 200 OK\r\n\r\n")
      for _ in 0..<(isFirst ? 1 : 4) { peer.send(Self.half) }
      guard isFirst else { return }
      peer.awaitHangUp()
      isGivenUp.yield()
    }
    let fetching = CurlFetching(settings: loopbackSettings { $0.largeBodyBytes = 1 << 20 })
    defer {
      fetching.shutdown()
      server.stop()
    }
    fetching.keeps(bytes: 1 << 20)
    async let answer = fetching.fetch(Self.request(server))
    await first(of: givenUp)
    fetching.keeps(bytes: 0)
    #expect(try await answer.get().body.count == 400_000)
    #expect((2...3).contains(server.connectionCount))
  }

  enum Ending: CaseIterable {
    case deadline
    case cancellation
    case reset
    case broken
  }

  @Test(arguments: Ending.allCases)
  func `an exchange gives its room back however it ends`(_ ending: Ending) async throws {
    let (halves, halfCame) = AsyncStream.makeStream(of: Void.self)
    let server = RawServer { peer in
      guard let request = peer.readRequest(), !request.hasPrefix("GET /whole") else {
        return Self.finish(peer)
      }
      peer.send(Self.head)
      peer.send(Self.half)
      halfCame.yield()
      switch ending {
      case .deadline, .cancellation: peer.awaitHangUp()
      case .reset: peer.resetOnClose()
      case .broken: return
      }
    }
    let fetching = CurlFetching(settings: Self.settings)
    defer {
      fetching.shutdown()
      server.stop()
    }
    for _ in 0..<8 {
      let milliseconds: Int64 = ending == .deadline ? 150 : 60_000
      let task = Task { await fetching.fetch(Self.request(server, within: milliseconds)) }
      if ending == .cancellation {
        await first(of: halves)
        task.cancel()
      }
      #expect(await task.value.failure != nil)
    }
    let before = server.connectionCount
    var whole = Self.request(server)
    whole.url += "whole"
    #expect(try await fetching.fetch(whole).get().body.count == Self.bodyBytes)
    #expect(server.connectionCount == before + 1)
  }

  private static func finish(_ peer: RawPeer) {
    peer.send(head)
    peer.send(half)
    peer.send(half)
  }
}
