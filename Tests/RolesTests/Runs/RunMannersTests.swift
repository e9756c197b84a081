import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// What a run that is over leaves behind at the hosts that it asked.
@Suite(.timeLimit(.minutes(10)))
struct RunMannersTests {
  private static let recipe = """
    {"steps": {
      "list": {"call": "http://list.test/"},
      "each": {"each": "$list", "call": "http://{+input}", "policy": "all"}
    }, "output": "$each"}
    """

  /// The call that is dropped goes on until a job has been started that was given out after that.
  @Test func `a call that is dropped keeps its host's place until its worker has let go`() async throws {
    let events = Lock<[String]>([])
    let fetching = ScriptedFetching { request in
      events.withLock { $0.append(request.url) }
      func reached(_ event: String) async {
        while !events.withLock({ $0.contains(event) }) { await Task.yield() }
      }
      switch request.url {
      case "http://list.test/": return .success(RunSite.json(#"["a.test/hold","b.test/fail"]"#))
      case "http://a.test/hold":
        while !Task.isCancelled { await Task.yield() }
        events.withLock { $0.append("dropped") }
        await reached("http://c.test/2")
        events.withLock { $0.append("let go") }
        return .failure(Failure(.cancelled, at: .queue, "fetch \(request.url): cancelled"))
      case "http://b.test/fail":
        await reached("http://a.test/hold")
        return .success(RunSite.json("{}", status: 500))
      case "http://c.test/1":
        await reached("dropped")
        return .success(.page("<title>1</title>"))
      default: return .success(.page("<title>x</title>"))
      }
    }
    var pipeline = TestPipeline()
    pipeline.settings.aggregator.perHost = 1
    pipeline.settings.aggregator.retry = RetryRule(retries: 0)
    let feed = HeldFeed(
      [RunSite.draft(Self.recipe)],
      then: ["a.test/next", "c.test/1", "c.test/2"].map { JobDraft(kind: .title, input: "http://\($0)") }
    ) { events.withLock { $0.contains("http://a.test/hold") } }
    let count = Lock(0)
    try await pipeline.run(feed: feed, over: fetching) { rows in count.withLock { $0 += rows.count } }
    #expect(count.withLock { $0 } == 4)
    let order = events.withLock { $0 }
    let letGo = try #require(order.firstIndex(of: "let go"))
    #expect(try #require(order.firstIndex(of: "http://a.test/next")) > letGo, "\(order)")
  }
}

/// Hands out the rest of its jobs once something has happened.
private final class HeldFeed: JobFeed {
  private let parts: Lock<[[JobDraft]]>
  private let isReleased: @Sendable () -> Bool

  init(_ first: [JobDraft], then rest: [JobDraft], when isReleased: @escaping @Sendable () -> Bool) {
    parts = Lock([first, rest])
    self.isReleased = isReleased
  }

  func next(atMost limit: Int) async throws -> [JobDraft]? {
    if parts.withLock({ $0.count }) < 2 { while !isReleased() { await Task.yield() } }
    return parts.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
