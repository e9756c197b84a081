import Halyard
import Pipeline
import PipelineTesting
import Posix
import Testing

/// Streams of the results of many links.
@Suite(.timeLimit(.minutes(10)))
struct ManyCallsTests {
  /// Counts how many are asked at a time, and answers when as many are as there can be.
  private final class Crowd: Sendable {
    private let counts = Lock((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    var fetching: ScriptedFetching {
      ScriptedFetching { [self] request in
        counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        for _ in 0..<20 { await Task.yield() }
        counts.withLock { $0.now -= 1 }
        return .success(.page("<title>\(request.url)</title>"))
      }
    }
  }

  @Test(arguments: [ResultOrder.source, .completion], [1, 3])
  func `no more calls at once than the limit allows`(order: ResultOrder, limit: Int) async throws {
    let crowd = Crowd()
    let client = try HalyardClient(fetching: crowd.fetching)
    let links = (0..<60).map { "http://host\($0).test/" }
    var count = 0
    for try await outcome in client.results(of: links, in: order, atOnce: limit, { $0.title($1) }) {
      #expect(outcome.url == links[outcome.index])
      count += 1
    }
    #expect(count == 60)
    #expect(crowd.most <= limit)
    try await client.end()
  }

  @Test(arguments: [ResultOrder.source, .completion])
  func `any number of calls at once can be allowed`(order: ResultOrder) async throws {
    let client = try HalyardClient(fetching: ScriptedFetching { _ in .success(FetchResponse(status: 200)) })
    let links = (0..<300).map { "http://host\($0).test/" }
    var indexes: Set<Int> = []
    for try await outcome in client.results(of: links, in: order, atOnce: .max, { $0.unfurl($1) }) {
      indexes.insert(outcome.index)
    }
    #expect(indexes.count == 300)
    try await client.end()
  }

  @Test func `failures stand in their places, and the rest goes on`() async throws {
    var settings = ClientSettings()
    settings.retries = 0
    let client = try HalyardClient(
      settings, fetching: ScriptedFetching(["http://a.test/": .page("<title>A</title>")]))
    let links = ["http://a.test/", "http://b.test/", "no link", "http://a.test/"]
    var kinds: [HalyardError.Kind?] = []
    for try await outcome in client.results(of: links, { $0.title($1) }) {
      kinds.append(outcome.result.failure?.kind)
    }
    #expect(kinds == [nil, .dns, .invalidInput, nil])
    try await client.end()
  }
}
