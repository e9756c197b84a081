import Halyard
import HalyardConcurrency
import HalyardTesting
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

  @Test(arguments: [ResultOrder.source, .completion])
  func `links are taken from a channel as they come`(order: ResultOrder) async throws {
    let client = HalyardClient(stub: StubSite { _ in .page("<title>A page</title>") })
    let links = TaskChannel<String>(capacity: 0)
    var outcomes = client.results(of: links, in: order, { $0.title($1) }).makeAsyncIterator()
    for number in 0..<3 {
      async let sent: Void = links.send("http://a.test/\(number)")
      let outcome = try await outcomes.next()
      try await sent
      #expect(outcome?.index == number && outcome?.url == "http://a.test/\(number)")
    }
    links.close()
    #expect(try await outcomes.next() == nil)
    try await client.end()
  }

  private struct Broken: Error, Equatable {}

  @Test func `the error of a source comes behind the outcomes of its links`() async throws {
    let client = HalyardClient(stub: StubSite { _ in .page("<title>A page</title>") })
    let links = AsyncThrowingStream<String, any Error> { emit in
      for number in 0..<5 { emit.yield("http://a.test/\(number)") }
      emit.finish(throwing: Broken())
    }
    var count = 0
    await #expect {
      for try await _ in client.results(of: links, { $0.title($1) }) { count += 1 }
    } throws: {
      guard case .failed(let error) = $0 as? ServiceError<any Error> else { return false }
      return error is Broken
    }
    #expect(count == 5)
    try await client.end()
  }

  @Test(arguments: [ResultOrder.source, .completion])
  func `values come in order, and the first failure cancels the rest`(order: ResultOrder) async throws {
    let cancelled = Lock(0)
    let (begun, shown) = (TaskChannel<Void>(capacity: 2), TaskChannel<Void>(capacity: 1))
    let never = TaskChannel<Void>(capacity: 0)
    let client = try HalyardClient(
      .forTests,
      stub: StubSite { request in
        if request.url.hasSuffix("/slow") {
          _ = try? begun.offer(())
          do { _ = try await never.receive() } catch { cancelled.withLock { $0 += 1 } }
          return .page("")
        }
        guard request.url.hasSuffix("/bad") else { return .page("<title>A page</title>") }
        for _ in 0..<2 { _ = try? await begun.receive() }
        _ = try? await shown.receive()
        return .failure(.dns)
      })
    let links = ["http://a.test/0", "http://b.test/slow", "http://c.test/slow", "http://d.test/bad"]
    var titles: [String] = []
    await #expect {
      for try await page in client.values(of: links, in: order, { $0.title($1) }) {
        titles.append(page.title)
        _ = try? shown.offer(())
      }
    } throws: {
      ($0 as? HalyardError)?.kind == .dns
    }
    #expect(titles == ["A page"])
    try await client.end()
    #expect(cancelled.withLock { $0 } == 2)
  }

  @Test func `a client takes as many calls as it may, and refuses more`() async throws {
    var settings = ClientSettings.forTests
    settings.maxCalls = 3
    let never = TaskChannel<Void>(capacity: 0)
    let client = try HalyardClient(
      settings,
      stub: StubSite { _ in
        _ = try? await never.receive()
        return .page("")
      })
    let handles = (0..<3).map { client.unfurl("http://a.test/\($0)").call { _ in } }
    let refused = await client.unfurl("http://a.test/3").result().failure
    #expect(refused?.kind == .underlying && refused?.retryable == true)
    #expect(refused?.message.contains("3 unanswered calls") == true)
    for handle in handles { handle.cancel() }
    try await client.end()
    settings.maxCalls = 0
    #expect(throws: HalyardError.self) { try HalyardClient(settings) }
  }
}
