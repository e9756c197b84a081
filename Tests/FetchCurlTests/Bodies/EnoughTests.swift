import FetchCurl
import Pipeline
import PipelineTesting
import Synchronization
import Testing

/// Pages of which the start is enough.
@Suite(.timeLimit(.minutes(10)))
struct EnoughTests {
  /// The response, how long the page was at each look, and the connections of three such exchanges.
  private func exchanges(
    _ reply: String, cap: Int = 1 << 20, enough: Int
  ) async throws -> (response: FetchResponse, looks: [Int], connections: Int) {
    let server = RawServer { peer in
      while peer.readRequest() != nil { peer.send(reply) }
    }
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      server.stop()
    }
    let looks = Mutex<[Int]>([])
    var last: FetchResponse?
    for _ in 0..<3 {
      looks.withLock { $0 = [] }
      var request = FetchRequest(url: server.url, body: .page(capBytes: cap), deadline: deadline())
      request.isEnough = { status, contentType, start in
        looks.withLock { $0.append(start.count) }
        return status == 200 && contentType == "Text/HTML" && start.count >= enough
      }
      last = try await fetching.fetch(request).get()
    }
    return (try #require(last), looks.withLock { $0 }, server.connectionCount)
  }

  private func page(of count: Int) -> String {
    FetchCurlTests.page(String(repeating: "x", count: count), headers: ["Content-Type: Text/HTML"])
  }

  @Test func `the rest of a page is left out, and its connection kept, when the start is enough`() async throws {
    let (response, looks, connections) = try await exchanges(page(of: 100_000), enough: 1)
    #expect(looks.count == 1)
    #expect(response.body.count == looks[0])
    #expect(looks[0] >= 8_192 && looks[0] < 100_000)
    #expect(!response.truncated && response.bodyFailure == nil)
    #expect(connections == 1)
  }

  @Test func `a large rest costs the connection, and is no cut either`() async throws {
    let (response, _, connections) = try await exchanges(page(of: 900_000), enough: 1)
    #expect(!response.truncated && response.bodyFailure == nil)
    #expect(response.body.count < 900_000)
    #expect(connections == 3)
  }

  @Test func `looks are few, and a page that is never enough is read to its end`() async throws {
    let (response, looks, _) = try await exchanges(page(of: 500_000), enough: .max)
    #expect(response.body.count == 500_000)
    #expect(looks.count <= 4)
    #expect(zip(looks, looks.dropFirst()).allSatisfy { $1 >= 4 * $0 })
  }

  @Test func `the cap holds all the same, and a short page is not looked into`() async throws {
    #expect(try await exchanges(page(of: 500_000), cap: 100_000, enough: .max).response.truncated)
    #expect(try await exchanges(page(of: 8_000), enough: 1).looks.isEmpty)
  }

  @Test func `a peer that ends within the rest did no harm`() async throws {
    let reply = "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML\r\nContent-Length: 90000\r\n\r\n"
    let server = RawServer(replying(reply + String(repeating: "x", count: 60_000)))
    let fetching = CurlFetching(settings: loopbackSettings())
    defer {
      fetching.shutdown()
      server.stop()
    }
    var request = FetchRequest(url: server.url, body: .page(capBytes: 1 << 20), deadline: deadline())
    request.isEnough = { _, _, _ in true }
    let response = try await fetching.fetch(request).get()
    #expect(!response.truncated && response.bodyFailure == nil)
  }
}
