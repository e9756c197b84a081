import Assembly
import Links
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// How robots.txt files are asked for: seldom, and with the manners of any other exchange.
@Suite(.timeLimit(.minutes(10)))
struct RobotsMannersTests {
  /// Requests by URL, and the most at once by host.
  private struct Log: Sendable {
    var asked: [(url: String, at: Moment)] = []
    var now: [String: Int] = [:]
    var most: [String: Int] = [:]

    func times(_ url: String) -> Int { asked.count { $0.url == url } }
  }

  private final class Site: Sendable {
    let log = Lock(Log())
    let clock: any PipelineClock
    /// Turns that an answer takes, where they are more than a few.
    private let slowly: [String: Int]
    private let answer: @Sendable (_ url: String, _ times: Int) -> Result<FetchResponse, Failure>

    init(
      on clock: any PipelineClock = ManualClock(), slowly: [String: Int] = [:],
      _ answer: @escaping @Sendable (_ url: String, _ times: Int) -> Result<FetchResponse, Failure>
    ) {
      (self.clock, self.slowly, self.answer) = (clock, slowly, answer)
    }

    var fetching: ScriptedFetching {
      ScriptedFetching { [log, clock, answer, slowly] request in
        let host = String(request.url.split(separator: "/")[1])
        let times = log.withLock { log in
          log.asked.append((request.url, clock.now))
          log.now[host, default: 0] += 1
          log.most[host] = max(log.most[host] ?? 0, log.now[host] ?? 0)
          return log.times(request.url)
        }
        for _ in 0..<(slowly[request.url] ?? 20) { await Task.yield() }
        log.withLock { $0.now[host]? -= 1 }
        return answer(request.url, times)
      }
    }

    func run(
      _ drafts: [JobDraft], deadlineMilliseconds: Int64? = nil,
      _ change: (inout LocalPipeline.Settings) -> Void = { _ in }
    ) async throws -> [Row] {
      var pipeline = TestPipeline(.framed)
      pipeline.clock = clock
      pipeline.settings.fetcher.robotsName = ProductToken(userAgent: "halyard")
      change(&pipeline.settings)
      let time = Task { [clock] in
        while !Task.isCancelled {
          // Slowly, so that what is under way does not look as if it took minutes.
          for _ in 0..<500 { await Task.yield() }
          (clock as? ManualClock)?.advance(byMilliseconds: 500)
        }
      }
      defer { time.cancel() }
      return try await pipeline.run(
        drafts, over: fetching, ordered: true, deadlineMilliseconds: deadlineMilliseconds
      ).map(Row.init)
    }
  }

  private static func file(_ rules: String) -> FetchResponse {
    FetchResponse(status: 200, body: Array("User-agent: *\n\(rules)\n".utf8))
  }

  private func links(_ count: Int, at host: (Int) -> String) -> [JobDraft] {
    (0..<count).map { JobDraft(kind: .unfurl, input: "http://\(host($0))/\($0)") }
  }

  @Test func `an origin is asked once for many links, within the host's limit`() async throws {
    let site = Site(on: SystemClock()) { url, _ in
      .success(url.hasSuffix("robots.txt") ? Self.file("Disallow: /*7$") : FetchResponse(status: 200))
    }
    let rows = try await site.run(links(400) { "h\($0 % 3).test" }) { $0.aggregator.perHost = 4 }
    #expect(rows.count { $0["error.kind"] == "robots" } == 40)
    #expect(rows.count { $0["status"] == "ok" } == 360)
    let log = site.log.withLock { $0 }
    for host in 0..<3 {
      #expect(log.times("http://h\(host).test/robots.txt") == 1)
      #expect(log.most["h\(host).test"] == 4)
    }
    #expect(!log.asked.contains { $0.url.hasSuffix("7") })
  }

  @Test func `a file on another host is fetched with a slot of that host`() async throws {
    let site = Site(on: SystemClock()) { url, _ in
      if url == "http://hub.test/r" { return .success(Self.file("Disallow: /1")) }
      return .success(
        url.hasSuffix("robots.txt") ? .redirect(to: "http://hub.test/r") : FetchResponse(status: 200))
    }
    let rows = try await site.run(links(120) { "h\($0 % 60).test" }) { $0.aggregator.perHost = 1 }
    #expect(rows.count { $0["error.kind"] == "robots" } == 31)
    let log = site.log.withLock { $0 }
    #expect(log.most["hub.test"] == 1)
    #expect(log.times("http://hub.test/r") == 60)
    #expect(log.most.values.allSatisfy { $0 == 1 })
  }

  /// While the walk for the file of a is at w, walks that wait for it take a's only slot, and others that of b.
  @Test func `files of two hosts that redirect to each other hold nobody up for good`() async throws {
    let site = Site(slowly: ["http://b.test/robots.txt": 1_000, "http://w.test/robots.txt": 4_000]) {
      url, _ in
      let next = ["http://a.test/robots.txt": "w", "http://w.test/robots.txt": "b"]
      return .success(
        url.hasSuffix("robots.txt")
          ? .redirect(to: "http://\(next[url] ?? "a").test/robots.txt") : FetchResponse(status: 200))
    }
    let rows = try await site.run(links(60) { $0 % 2 == 0 ? "a.test" : "b.test" }) {
      $0.aggregator.perHost = 1
    }
    #expect(rows.allSatisfy { $0["status"] == "ok" })
  }

  @Test(arguments: [500, 503, 429])
  func `where the file is not given for now the host is left in peace, then asked again`(status: Int)
    async throws
  {
    let site = Site { url, times in
      guard url.hasSuffix("robots.txt") else { return .success(FetchResponse(status: 200)) }
      return .success(times < 3 ? FetchResponse(status: status) : Self.file("Disallow: /1"))
    }
    let rows = try await site.run(links(8) { _ in "a.test" })
    #expect(rows.map { $0["error.kind"] } == [nil, "robots"] + Array(repeating: nil, count: 6))
    let log = site.log.withLock { $0 }
    let asked = log.asked.filter { $0.url.hasSuffix("robots.txt") }.map(\.at)
    try #require(asked.count == 3)
    #expect(asked[1].milliseconds(since: asked[0]) >= 10_000)
    #expect(asked[2].milliseconds(since: asked[1]) >= 20_000)
    #expect(log.asked.filter { !$0.url.hasSuffix("robots.txt") }.allSatisfy { $0.at >= asked[2] })
  }

  @Test func `and refuses in the end, as what may pass`() async throws {
    let site = Site { _, _ in .success(FetchResponse(status: 500)) }
    let row = try #require(try await site.run(links(1) { _ in "a.test" }).first)
    #expect(row["error.kind"] == "robots")
    #expect(row["error.retryable"] == "true")
    #expect(row["attempts"] == "4")
  }

  @Test func `the file counts into the job's deadline`() async throws {
    let site = Site { url, _ in
      .failure(Failure(.timeout, at: .firstByte, "fetch \(url): timed out"))
    }
    let rows = try await site.run(links(4) { _ in "a.test" }, deadlineMilliseconds: 5_000)
    #expect(rows.allSatisfy { $0["error.kind"] == "deadline" })
  }
}
