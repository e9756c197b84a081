import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// Many jobs at once: exactly one row each, in order when asked, politely.
@Suite(.timeLimit(.minutes(10)))
struct FlowTests {
  @Test(arguments: TransportUnderTest.allCases, [false, true])
  func `every job has exactly one row`(transport: TransportUnderTest, ordered: Bool) async throws {
    let count = 5_000
    let fetching = ScriptedFetching { request in
      request.url.hasSuffix("7")
        ? .failure(Failure(.tls, at: .tls, "no")) : .success(.page("<title>x</title>"))
    }
    let drafts = (0..<count).map { JobDraft(kind: .title, input: "http://h\($0 % 50).test/\($0)") }
    let rows = try await TestPipeline(transport).run(drafts, over: fetching, ordered: ordered, window: 700)
    let ordinals = rows.map(\.ordinal)
    #expect((ordered ? ordinals : ordinals.sorted()) == Array(0..<UInt64(count)))
    #expect(rows.count { $0.failure == .tls } == count / 10)
  }

  @Test func `a host never has more jobs at once than allowed`() async throws {
    let load = Lock((now: 0, most: 0))
    let fetching = ScriptedFetching { _ in
      load.withLock { load in
        load.now += 1
        load.most = max(load.most, load.now)
      }
      for _ in 0..<20 { await Task.yield() }
      load.withLock { $0.now -= 1 }
      return .success(FetchResponse(status: 200))
    }
    var pipeline = TestPipeline()
    pipeline.settings.aggregator.perHost = 3
    let drafts = (0..<200).map { JobDraft(kind: .unfurl, input: "http://one.test/\($0)") }
    let rows = try await pipeline.run(drafts, over: fetching)
    #expect(rows.count == 200)
    #expect(load.withLock { $0.most } == 3)
  }

  @Test func `a job whose link is submitted twice is two jobs`() async throws {
    let fetching = ScriptedFetching(["http://a.test/": .page("<title>A</title>")])
    let drafts = [
      JobDraft(kind: .title, input: "http://a.test"), JobDraft(kind: .title, input: "http://a.test"),
    ]
    #expect(try await TestPipeline().run(drafts, over: fetching).count == 2)
  }

  @Test func `an interrupted batch still has a row for every submitted job`() async throws {
    let arrived = AsyncStream.makeStream(of: Void.self)
    let release = AsyncStream.makeStream(of: Void.self)
    let fetching = ScriptedFetching { _ in
      arrived.continuation.yield()
      for await _ in release.stream { break }
      return .success(FetchResponse(status: 200))
    }
    var pipeline = TestPipeline()
    pipeline.settings.fetcher.concurrency = 1
    let drafts = (0..<50).map { JobDraft(kind: .unfurl, input: "http://h\($0).test/") }
    let rows = try await pipeline.run(drafts, over: fetching) { producer in
      for await _ in arrived.stream { break }
      await producer.interrupt(everything: false, cause: "interrupted")
      release.continuation.finish()
    }
    #expect(rows.count == 50)
    #expect(rows.count { $0.failure == nil } == 1)
    #expect(rows.count { $0.failure == .cancelled } == 49)
  }

  @Test func `a batch that is interrupted before it begins ends without rows`() async throws {
    let fetching = ScriptedFetching { _ in .success(FetchResponse(status: 200)) }
    let drafts = (0..<3).map { JobDraft(kind: .unfurl, input: "http://h\($0).test/") }
    let rows = try await TestPipeline().run(
      drafts, over: fetching,
      beforehand: { await $0.interrupt(everything: false, cause: "interrupted") })
    #expect(rows.isEmpty)
  }

  @Test func `a second interruption cancels what is under way`() async throws {
    let arrived = AsyncStream.makeStream(of: Void.self)
    let fetching = ScriptedFetching { request in
      arrived.continuation.yield()
      try? await Task.sleep(for: .seconds(3_600))
      return .failure(Failure(.cancelled, at: .queue, "fetch \(request.url): cancelled"))
    }
    let drafts = (0..<3).map { JobDraft(kind: .unfurl, input: "http://h\($0).test/") }
    let rows = try await TestPipeline().run(drafts, over: fetching) { producer in
      var count = 0
      for await _ in arrived.stream {
        count += 1
        if count == 3 { break }
      }
      await producer.interrupt(everything: true, cause: "interrupted twice")
    }
    #expect(rows.map(\.failure) == [.cancelled, .cancelled, .cancelled])
  }

  @Test func `a failing feed still gives rows for what was read`() async throws {
    struct Broken: Error {}
    let pipeline = TestPipeline()
    let rows = Lock(0)
    await #expect(throws: Broken.self) {
      try await pipeline.run(feed: FailingFeed(after: 10, error: Broken())) { arrived in
        rows.withLock { $0 += arrived.count }
      }
    }
    #expect(rows.withLock { $0 } == 10)
  }
}

private struct FailingFeed: JobFeed {
  let list: ListFeed
  let error: any Error

  init(after count: Int, error: any Error) {
    list = ListFeed(.unfurl, (0..<count).map { "http://h\($0).test/" })
    self.error = error
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    if let drafts = try await list.next(atMost: limit) { return drafts }
    throw error
  }
}
