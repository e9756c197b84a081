import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// How a run behaves towards hosts that are crowded, dead or out of order.
@Suite(.timeLimit(.minutes(10)))
struct MannersTests {
  /// Requests under way, by host.
  private final class Load: Sendable {
    let counts = Lock<[String: (now: Int, most: Int, all: Int)]>([:])

    func during<Answer>(_ url: String, _ body: () async -> Answer) async -> Answer {
      let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
      counts.withLock { counts in
        var count = counts[host] ?? (0, 0, 0)
        count.now += 1
        count.all += 1
        count.most = max(count.most, count.now)
        counts[host] = count
      }
      defer { counts.withLock { $0[host]?.now -= 1 } }
      return await body()
    }

    func most(at host: String) -> Int { counts.withLock { $0[host]?.most ?? 0 } }
    func all(at host: String) -> Int { counts.withLock { $0[host]?.all ?? 0 } }
  }

  private func run(
    _ drafts: [JobDraft], _ transport: TransportUnderTest = .inProcess, over fetching: ScriptedFetching,
    deadlineMilliseconds: Int64? = nil,
    _ change: (inout AggregatorSettings) -> Void = { _ in }
  ) async throws -> [Row] {
    let clock = ManualClock()
    var pipeline = TestPipeline(transport)
    pipeline.clock = clock
    change(&pipeline.settings.aggregator)
    // Slowly beside the work, so that a busy machine loses no worker to it.
    let time = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 50)
        for _ in 0..<20 { await Task.yield() }
      }
    }
    defer { time.cancel() }
    return try await pipeline.run(
      drafts, over: fetching, ordered: true, deadlineMilliseconds: deadlineMilliseconds
    ).map(Row.init)
  }

  @Test(arguments: [TransportUnderTest.inProcess, .framed])
  func `a host that redirects lead to has no more at once than allowed`(transport: TransportUnderTest)
    async throws
  {
    let load = Load()
    let fetching = ScriptedFetching { request in
      await load.during(request.url) {
        for _ in 0..<20 { await Task.yield() }
        return request.url.contains("sho.rt")
          ? .success(.redirect(to: "http://page.test/\(request.url.suffix(3))"))
          : .success(.page("<title>x</title>"))
      }
    }
    var pipeline = TestPipeline(transport)
    pipeline.settings.aggregator.perHost = 3
    // Of many shorteners, each of which has slots of its own.
    let drafts = (100..<300).map { JobDraft(kind: .title, input: "http://\($0 % 20).sho.rt/\($0)") }
    let rows = try await pipeline.run(drafts, over: fetching)
    #expect(rows.count { $0.failure == nil } == 200)
    #expect(load.most(at: "page.test") == 3)
    #expect(load.all(at: "page.test") == 200)
  }

  @Test func `walks from all over that cross each other's hosts all arrive`() async throws {
    let fetching = ScriptedFetching { request in
      let parts = request.url.split(separator: "/")
      let (host, left) = (
        Int(parts[1].dropLast(5).dropFirst()) ?? 0, Int(parts[2].split(separator: "-")[0]) ?? 0
      )
      let tail = parts[2].split(separator: "-")[1]
      return left == 0
        ? .success(.page("<title>x</title>"))
        : .success(.redirect(to: "http://h\((host + 1) % 4).test/\(left - 1)-\(tail)"))
    }
    let drafts = (0..<200).map { JobDraft(kind: .title, input: "http://h\($0 % 4).test/7-\($0)") }
    var pipeline = TestPipeline()
    pipeline.settings.aggregator.perHost = 1
    pipeline.settings.fetcher.concurrency = 6
    let rows = try await pipeline.run(drafts, over: fetching)
    #expect(rows.count { $0.failure == nil } == 200)
  }

  @Test func `waiting for a turn does not count into the time of an attempt, but into the job's`()
    async throws
  {
    let fetching = ScriptedFetching { request in
      request.url.contains("sho.rt")
        ? .success(.redirect(to: "http://page.test/")) : .success(.page("<title>x</title>"))
    }
    let drafts = (0..<8).map { JobDraft(kind: .title, input: "http://h\($0).sho.rt/\($0)") }
    let rows = try await run(drafts, over: fetching) { $0.hostDelayMilliseconds = 20_000 }
    #expect(rows.allSatisfy { $0["status"] == "ok" && $0["attempts"] == "1" })
    let late = try await run(drafts, over: fetching, deadlineMilliseconds: 50_000) {
      $0.hostDelayMilliseconds = 20_000
    }
    // The clock does not wait for anybody, so fewer than three may get their turn.
    let ends = late.map { $0["error.kind"] ?? "ok" }
    let inTime = ends.count { $0 == "ok" }
    #expect((1...3).contains(inTime))
    #expect(ends.count { $0 == "deadline" } == 8 - inTime)
    #expect(
      late.filter { $0["status"] != "ok" }.allSatisfy { $0["error.message"]?.contains("deadline") == true })
  }

  @Test func `an outage is not multiplied, and rows say what to do`() async throws {
    let calls = Lock(0)
    let fetching = ScriptedFetching { request in
      calls.withLock { $0 += 1 }
      return .failure(Failure(.connect, at: .connect, "fetch \(request.url): refused \"error\":{"))
    }
    // Each at a host of its own, so that none is given up.
    let drafts = (0..<300).map { JobDraft(kind: .title, input: "http://h\($0).test/") }
    let rows = try await run(drafts, over: fetching)
    #expect(rows.count == 300)
    #expect(rows.allSatisfy { $0["error.kind"] == "connect" && $0["error.retryable"] == "true" })
    #expect(calls.withLock { $0 } == 300 + 160)
    let refused = rows.filter { $0["error.message"]?.contains("raise --retry-budget above 20%") == true }
    #expect(refused.count >= 200)
    #expect(refused.allSatisfy { $0["error.message"]?.hasPrefix("fetch http://h") == true })
  }

  @Test func `a host that only fails is given up, and others are not`() async throws {
    let load = Load()
    let fetching = ScriptedFetching { request in
      await load.during(request.url) {
        request.url.contains("dead")
          ? .failure(Failure(.connect, at: .connect, "fetch \(request.url): refused"))
          : .success(.page("<title>x</title>"))
      }
    }
    let drafts = (0..<400).map {
      JobDraft(kind: .title, input: "http://\($0 % 2 == 0 ? "dead" : "live").test/\($0)")
    }
    let rows = try await run(drafts, over: fetching)
    #expect(rows.count { $0["status"] == "ok" } == 200)
    let dead = rows.filter { $0["status"] == "failed" }
    #expect(dead.count == 200)
    #expect(dead.allSatisfy { $0["error.kind"] == "connect" && $0["error.retryable"] == "true" })
    let message = try #require(dead.last?["error.message"])
    #expect(message.contains("failures in a row at dead.test, given up until 20"), "\(message)")
    #expect(message.contains("; requeue later, or raise --give-up"), "\(message)")
    let refused = dead.filter { $0["error.message"]?.contains("given up until") == true }
    #expect(refused.allSatisfy { $0["error.given_up"] == "dead.test" })
    #expect(dead.count { $0["error.given_up"] == nil } == 200 - refused.count)
    // Ten, those under way meanwhile, and five probes.
    #expect((15...32).contains(load.all(at: "dead.test")))
    #expect(load.all(at: "live.test") == 200)
  }

  @Test func `a host that is never given up is asked for every job`() async throws {
    let load = Load()
    let fetching = ScriptedFetching { request in
      await load.during(request.url) {
        .failure(Failure(.connect, at: .connect, "fetch \(request.url): refused"))
      }
    }
    let drafts = (0..<40).map { JobDraft(kind: .title, input: "http://dead.test/\($0)") }
    let rows = try await run(drafts, over: fetching) {
      $0.givesUpAfter = nil
      $0.retry = RetryRule(retries: 0)
    }
    #expect(rows.allSatisfy { $0["error.stage"] == "connect" && $0["error.given_up"] == nil })
    #expect(load.all(at: "dead.test") == 40)
  }

  @Test(arguments: [TransportUnderTest.inProcess, .framed])
  func `a walk that is led to a host that is given up ends with what it found so far`(
    transport: TransportUnderTest
  )
    async throws
  {
    let load = Load()
    let fetching = ScriptedFetching { request in
      await load.during(request.url) {
        request.url.contains("dead")
          ? .failure(Failure(.timeout, at: .connect, "fetch \(request.url): too late"))
          : .success(.redirect(to: "http://dead.test/\(request.url.utf8.count)"))
      }
    }
    let drafts = (0..<100).map { JobDraft(kind: .unfurl, input: "http://h\($0).sho.rt/\($0)") }
    let rows = try await run(drafts, transport, over: fetching)
    #expect(rows.allSatisfy { $0["error.kind"] == "timeout" })
    let refused = rows.filter { $0["error.message"]?.contains("given up until") == true }
    #expect(refused.count > 60)
    #expect(refused.allSatisfy { $0["hops"]?.contains("sho.rt") == true })
    #expect(refused.allSatisfy { $0["error.given_up"] == "dead.test" })
    #expect(load.all(at: "dead.test") <= 40)
  }

  @Test func `a host that answers again is as any other`() async throws {
    let calls = Lock(0)
    let fetching = ScriptedFetching { request in
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      return call <= 17
        ? .failure(Failure(.connect, at: .connect, "fetch \(request.url): refused"))
        : .success(.page("<title>x</title>"))
    }
    let drafts = (0..<100).map { JobDraft(kind: .title, input: "http://back.test/\($0)") }
    let rows = try await run(drafts, over: fetching)
    #expect(rows.allSatisfy { $0["status"] == "ok" })
  }

  @Test func `a page that asks for peace by a date has it`() async throws {
    let clock = ManualClock()
    let until = clock.now.advanced(byMilliseconds: 60_000)
    // 2023-11-14T22:13:20Z and a minute.
    let busy = FetchResponse(
      status: 429, headers: [HeaderField("Retry-After", "Tue, 14 Nov 2023 22:14:20 GMT")])
    let requests = Lock<[Moment]>([])
    let fetching = ScriptedFetching { _ in
      let isFirst = requests.withLock { requests in
        requests.append(clock.now)
        return requests.count == 1
      }
      return .success(isFirst ? busy : .page("<title>x</title>"))
    }
    var pipeline = TestPipeline()
    pipeline.clock = clock
    // So none of them is under way while the answer of another is on its way to the aggregator.
    pipeline.settings.aggregator.perHost = 1
    let time = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 50)
        await Task.yield()
      }
    }
    defer { time.cancel() }
    let drafts = (0..<3).map { JobDraft(kind: .title, input: "http://busy.test/\($0)") }
    let rows = try await pipeline.run(drafts, over: fetching)
    #expect(rows.allSatisfy { $0.failure == nil })
    let moments = requests.withLock { $0 }
    #expect(moments.count == 4)
    #expect(moments.dropFirst().allSatisfy { $0 >= until })
  }
}
