import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// Retries and deadlines, on a clock moved by hand.
@Suite(.timeLimit(.minutes(10)))
struct RetryTests {
  /// Fails the first `failures` times.
  private final class Flaky: Sendable {
    let calls = Lock(0)
    let attempted = AsyncStream.makeStream(of: Int.self)
    let failures: Int
    let failure: Failure

    init(failures: Int, _ failure: Failure) {
      self.failures = failures
      self.failure = failure
    }

    var fetching: ScriptedFetching {
      ScriptedFetching { [self] _ in
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        attempted.continuation.yield(call)
        return call <= failures ? .failure(failure) : .success(FetchResponse(status: 200))
      }
    }
  }

  private func run(_ flaky: Flaky, deadlineMilliseconds: Int64? = nil) async throws -> Row {
    let clock = ManualClock()
    var pipeline = TestPipeline()
    pipeline.clock = clock
    let draft = JobDraft(kind: .unfurl, input: "http://a.test/")
    let time = passTime(on: clock)
    defer { time.cancel() }
    let rows = try await pipeline.run(
      [draft], over: flaky.fetching, deadlineMilliseconds: deadlineMilliseconds)
    return try Row(try #require(rows.first))
  }

  private func passTime(on clock: ManualClock) -> Task<Void, Never> {
    Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 100)
        await Task.yield()
      }
    }
  }

  @Test func `a passing fault is tried again`() async throws {
    let flaky = Flaky(failures: 2, Failure(.connect, at: .connect, "fetch: refused"))
    let row = try await run(flaky)
    #expect(row["status"] == "ok")
    #expect(row["attempts"] == "3")
  }

  @Test func `after the last retry the failure stands`() async throws {
    let flaky = Flaky(failures: 9, Failure(.connect, at: .connect, "fetch: refused"))
    let row = try await run(flaky)
    #expect(row["error.kind"] == "connect")
    #expect(row["attempts"] == "4")
    #expect(flaky.calls.withLock { $0 } == 4)
  }

  @Test func `a lasting fault is not tried again`() async throws {
    let flaky = Flaky(failures: 9, Failure(.dns, at: .dns, "fetch: no such host"))
    #expect(try await run(flaky)["attempts"] == "1")
  }

  @Test func `a job that is not done by its deadline ends with it`() async throws {
    let flaky = Flaky(failures: 9, Failure(.connect, at: .connect, "fetch: refused"))
    let row = try await run(flaky, deadlineMilliseconds: 5_000)
    #expect(row["error.kind"] == "deadline")
    #expect(flaky.calls.withLock { $0 } < 4)
  }

  @Test(arguments: [FailureKind.httpStatus, .robots])
  func `a host that only asks to wait holds its links up for no longer than its budget`(
    kind: FailureKind
  ) async throws {
    let flaky = Flaky(
      failures: 1_000,
      Failure(kind, at: .headers, "fetch: not now", retryable: true, retryAfterMilliseconds: 300_000))
    let clock = ManualClock()
    var pipeline = TestPipeline()
    pipeline.clock = clock
    pipeline.settings.aggregator.retry = RetryRule(retries: 0)
    let drafts = (0..<100).map { JobDraft(kind: .unfurl, input: "http://a.test/\($0)") }
    let start = clock.now
    let time = passTime(on: clock)
    defer { time.cancel() }
    let rows = try await pipeline.run(drafts, over: flaky.fetching).map { try Row($0) }
    #expect(clock.now.milliseconds(since: start) < 300_000)
    #expect(rows.count == 100 && rows.allSatisfy { $0["error.kind"] == kind.rawValue })
    #expect(flaky.calls.withLock { $0 } <= 8)
    #expect(rows.count { $0["error.given_up"] == "a.test" } >= 92)
  }

  @Test func `an interrupted batch does not wait for retries`() async throws {
    let flaky = Flaky(failures: 9, Failure(.connect, at: .connect, "fetch: refused"))
    var pipeline = TestPipeline()
    let clock = ManualClock()
    pipeline.clock = clock
    let time = Lock<Task<Void, Never>?>(nil)
    defer { time.value?.cancel() }
    let release = AsyncStream.makeStream(of: Void.self)
    let fetching = ScriptedFetching { request in
      let answer = await flaky.fetching.fetch(request)
      for await _ in release.stream { break }
      return answer
    }
    let rows = try await pipeline.run([JobDraft(kind: .unfurl, input: "http://a.test/")], over: fetching) {
      producer in
      for await _ in flaky.attempted.stream { break }
      await producer.interrupt(everything: false, cause: "interrupted")
      release.continuation.finish()
      // Not before: a busy machine lets more of it pass than a lease lasts.
      time.withLock { $0 = passTime(on: clock) }
    }
    #expect(rows.map(\.failure) == [.connect])
    #expect(flaky.calls.withLock { $0 } == 1)
  }
}

/// Hosts that ask for peace, and links that lead to them.
@Suite(.timeLimit(.minutes(10)))
struct PeaceTests {
  private func busy(_ status: Int) -> FetchResponse {
    FetchResponse(status: status, headers: [HeaderField("Retry-After", "4")])
  }

  /// Runs links over a site that is busy at the first request, and tells when each request came, in milliseconds.
  private func run(_ drafts: [JobDraft], busyOnce url: String, _ pages: [String: FetchResponse])
    async throws -> (rows: [Row], requests: [String: [Int64]])
  {
    let clock = ManualClock()
    let start = clock.now
    let requests = Lock<[String: [Int64]]>([:])
    let fetching = ScriptedFetching { request in
      let isFirst = requests.withLock { requests in
        requests[request.url, default: []].append(clock.now.milliseconds(since: start))
        return requests[request.url]?.count == 1
      }
      if request.url == url, isFirst { return .success(busy(503)) }
      return .success(pages[request.url] ?? FetchResponse(status: 200))
    }
    var pipeline = TestPipeline()
    pipeline.clock = clock
    pipeline.settings.fetcher.concurrency = 1
    let time = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 100)
        await Task.yield()
      }
    }
    defer { time.cancel() }
    let rows = try await pipeline.run(drafts, over: fetching)
    return (try rows.map(Row.init), requests.withLock { $0 })
  }

  @Test func `an unfurl that meets a busy server is tried again before its answer counts`() async throws {
    let (rows, requests) = try await run(
      [JobDraft(kind: .unfurl, input: "http://busy.test/a")], busyOnce: "http://busy.test/a", [:])
    #expect(rows.map { $0["http_status"] } == ["200"])
    #expect(rows.map { $0["attempts"] } == ["2"])
    #expect(requests["http://busy.test/a"]?.count == 2)
  }

  @Test func `what stays busy is an answer all the same`() async throws {
    let fetching = ScriptedFetching { _ in .success(FetchResponse(status: 429)) }
    var pipeline = TestPipeline()
    pipeline.settings.aggregator.retry = RetryRule(retries: 0)
    let rows = try await pipeline.run([JobDraft(kind: .unfurl, input: "http://busy.test/")], over: fetching)
    #expect(rows.map(\.failure) == [nil])
    #expect(try rows.map { try Row($0)["http_status"] } == ["429"])
  }

  @Test func `a busy target does not stop the shortener that leads to it`() async throws {
    let (rows, requests) = try await run(
      [
        JobDraft(kind: .title, input: "http://sho.rt/a"), JobDraft(kind: .title, input: "http://sho.rt/b"),
      ], busyOnce: "http://busy.test/",
      [
        "http://sho.rt/a": .redirect(to: "http://busy.test/"),
        "http://sho.rt/b": .page("<title>b</title>"), "http://busy.test/": .page("<title>a</title>"),
      ])
    #expect(rows.compactMap { $0["title"] }.sorted() == ["a", "b"])
    let free = try #require(requests["http://sho.rt/b"]?.first)
    let again = try #require(requests["http://busy.test/"]?.last)
    #expect(free < again)
    #expect(again >= 4_000)
  }
}
