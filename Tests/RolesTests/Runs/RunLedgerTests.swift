import LedgerForwarding
import LedgerMemory
import LedgerSQLite
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// What the ledger has to do with runs: faults, what it forgets, and what it is told of calls that are not made.
@Suite(.timeLimit(.minutes(10)))
struct RunLedgerTests {
  private static let recipe = """
    {"steps": {
      "list": {"call": "http://a.test/list"},
      "each": {"each": "$list", "call": "http://a.test/{input}", "policy": "all"}
    }, "output": "$each"}
    """
  private static let batch = BatchID(UUIDv7(at: Moment(unixMilliseconds: 1_000), uniqueHigh: 1, uniqueLow: 2))
  private static let run = JobID(batch: batch, ordinal: 0)

  private static func site() -> RunSite {
    let site = RunSite(["http://a.test/list": "[1,2,3]"])
    for number in 1...3 { site["http://a.test/\(number)"] = RunSite.json("\(number * 10)") }
    return site
  }

  private static func pipeline(_ ledger: any Ledger, in site: TransportUnderTest = .inProcess)
    -> TestPipeline
  {
    var pipeline = TestPipeline(site)
    pipeline.ledger = ledger
    pipeline.batch = batch
    pipeline.leavesJobsOpen = true
    pipeline.settings.aggregator.onlyBatch = batch
    pipeline.settings.aggregator.retry = RetryRule(retries: 0)
    return pipeline
  }

  /// Runs until so many calls were asked for, the last without an answer.
  private static func die(after calls: Int, _ pipeline: TestPipeline, _ site: RunSite, known: Bool = false)
    async
  {
    let reached = AsyncStream.makeStream(of: Void.self)
    let before = site.calls.count
    var draft = RunSite.draft(recipe)
    draft.isKnown = known
    let died = Task { [draft] in
      try await pipeline.run(
        [draft],
        over: ScriptedFetching { request in
          if site.calls.count - before >= calls - 1 {
            reached.continuation.yield()
            try? await Task.sleep(for: .seconds(3_600))
            return .failure(Failure(.cancelled, at: .queue, "fetch \(request.url): cancelled"))
          }
          return site.answer(to: request.url)
        })
    }
    for await _ in reached.stream { break }
    died.cancel()
    _ = await died.result
  }

  private static func finish(_ pipeline: TestPipeline, _ site: RunSite) async throws -> Row {
    var draft = RunSite.draft(recipe)
    draft.isKnown = true
    let rows = try await pipeline.run([draft], over: ScriptedFetching { site.answer(to: $0.url) })
    return try Row(#require(rows.last))
  }

  @Test func `a ledger that cannot be read stops everything, and nothing of a run is lost`() async throws {
    let site = Self.site()
    let ledger = RunLedger()
    var pipeline = Self.pipeline(ledger)
    pipeline.settings.fetcher.concurrency = 1
    await Self.die(after: 3, pipeline, site)
    let fault = LedgerError("it is damaged", kind: .corrupt)
    ledger.fault.withLock { $0 = fault }
    await #expect(throws: fault) { try await Self.finish(Self.pipeline(ledger), site) }
    #expect(try await ledger.page(JobQuery(.waiting)).items.map(\.job.id) == [Self.run])
    ledger.fault.withLock { $0 = nil }
    let row = try await Self.finish(Self.pipeline(ledger), site)
    #expect(row["value"] == "[10,20,30]")
    #expect(site.calls.count == Set(site.calls).count, "\(site.calls)")
    #expect(try await ledger.openJobs().isEmpty)
  }

  @Test func `a run goes on in its life when the calls of its earlier ones are forgotten`() async throws {
    let site = Self.site()
    site["http://a.test/2"] = RunSite.json("{}", status: 500)
    let directory = try TemporaryDirectory()
    let ledger = try await SQLiteLedger.open(path: directory.file("ledger"))
    var pipeline = Self.pipeline(ledger)
    pipeline.settings.fetcher.concurrency = 1
    let first = try await pipeline.run(
      [RunSite.draft(Self.recipe)], over: ScriptedFetching { site.answer(to: $0.url) })
    #expect(try Row(#require(first.first))["attempts"] == "1")
    _ = try await ledger.commit([.requeue(Self.run)], at: Moment(unixMilliseconds: 1))
    site["http://a.test/2"] = RunSite.json("20")
    let before = site.calls.count
    await Self.die(after: 3, pipeline, site, known: true)
    _ = try await ledger.forget(
      .old(unreadBefore: Moment(unixMilliseconds: 1 << 45)), before: Moment(unixMilliseconds: 1 << 45),
      limit: 99)
    #expect(try await ledger.progress(of: .calls(of: Self.run, life: 0)) == nil)
    let row = try await Self.finish(pipeline, site)
    #expect(row["value"] == "[10,20,30]")
    #expect(row["attempts"] == "2")
    let calls = site.calls.dropFirst(before)
    #expect(calls.count == Set(calls).count, "\(calls)")
    #expect(try await ledger.openJobs().isEmpty)
    await ledger.close()
  }

  @Test(arguments: [TransportUnderTest.inProcess, .zeroMQ])
  func `each call that is dropped tells which run failed, and of what`(site: TransportUnderTest) async throws
  {
    let (ledger, asked) = (RunLedger(), Lock(0))
    let fetching = ScriptedFetching { request in
      switch request.url {
      case "http://a.test/list":
        return .success(RunSite.json("[\((1...40).map(String.init).joined(separator: ","))]"))
      case "http://a.test/2":
        while asked.withLock({ $0 }) < 3 { await Task.yield() }
        return .success(RunSite.json("{}", status: 500))
      default:
        asked.withLock { $0 += 1 }
        while !Task.isCancelled { await Task.yield() }
        return .failure(Failure(.cancelled, at: .queue, "fetch \(request.url): cancelled"))
      }
    }
    let rows = try await Self.pipeline(ledger, in: site).run([RunSite.draft(Self.recipe)], over: fetching)
    let end = try Row(#require(rows.first))
    let calls = try ledger.ends.filter { $0.failure == .cancelled }.map {
      try Row(NumberedRow(number: 1, ordinal: 0, failure: nil, json: $0.row))
    }
    #expect(calls.count == 39)
    for call in calls {
      #expect(call["status"] == "cancelled")
      #expect(call["error.because.job"] == Self.run.description)
      #expect(call["error.because.kind"] == "http_status")
      #expect(call["error.message"] == "cancelled: \(end["error.message"] ?? "")")
    }
  }

  @Test(arguments: [TransportUnderTest.inProcess, .zeroMQ])
  func `each call of a run that is cancelled tells which run was, and why`(site: TransportUnderTest)
    async throws
  {
    let ledger = RunLedger()
    let arrived = AsyncStream.makeStream(of: Void.self)
    let fetching = ScriptedFetching { request in
      guard request.url != "http://a.test/list" else {
        return .success(RunSite.json("[\((1...40).map(String.init).joined(separator: ","))]"))
      }
      arrived.continuation.yield()
      while !Task.isCancelled { await Task.yield() }
      return .failure(Failure(.cancelled, at: .queue, "fetch \(request.url): cancelled"))
    }
    var pipeline = Self.pipeline(ledger, in: site)
    pipeline.leavesJobsOpen = false
    let rows = try await pipeline.run([RunSite.draft(Self.recipe)], over: fetching) { producer in
      for await _ in arrived.stream { break }
      await producer.interrupt(everything: true, cause: "nobody wants it")
    }
    let end = try Row(#require(rows.first))
    #expect(end["error.message"] == "cancelled: nobody wants it")
    let calls = try ledger.ends.filter { $0.failure == .cancelled }.map {
      try Row(NumberedRow(number: 1, ordinal: 0, failure: nil, json: $0.row))
    }
    #expect(calls.count == 40)
    for call in calls {
      #expect(call["error.because.job"] == Self.run.description)
      #expect(call["error.because.kind"] == "cancelled")
      #expect(call["error.message"] == "cancelled: nobody wants it")
    }
  }

  @Test func `a run that is not done in time says where it was and how long it took`() async throws {
    let (ledger, clock) = (RunLedger(), ManualClock())
    let fetching = ScriptedFetching { request in
      guard request.url != "http://a.test/list" else { return .success(RunSite.json("[1,2,3]")) }
      clock.advance(byMilliseconds: 5_000)
      while !Task.isCancelled { await Task.yield() }
      return .failure(Failure(.cancelled, at: .queue, "fetch \(request.url): cancelled"))
    }
    var pipeline = Self.pipeline(ledger)
    pipeline.clock = clock
    pipeline.settings.fetcher.concurrency = 1
    let rows = try await pipeline.run(
      [RunSite.draft(Self.recipe)], over: fetching, deadlineMilliseconds: 4_000)
    let row = try Row(#require(rows.first))
    #expect(row["error.kind"] == "deadline")
    #expect(
      row["error.message"]
        == "run mine.json: not done by its deadline, 5000 ms after it was begun, at each; give it longer with --deadline"
    )
    #expect(row["ms"] == "5000")
    #expect(ledger.submitted.allSatisfy { !$0.batch.isOfCalls || $0.deadline == nil })
    let calls = try ledger.ends.filter { $0.failure == .cancelled }.map {
      try Row(NumberedRow(number: 1, ordinal: 0, failure: nil, json: $0.row))
    }
    #expect(calls.map { $0["error.because.kind"] } == ["deadline", "deadline", "deadline"])
  }
}

/// Remembers what became of calls, and cannot read their rows when it is to fail.
private struct RunLedger: ForwardingLedger {
  let base: any Ledger = MemoryLedger()
  let fault = Lock<LedgerError?>(nil)
  private let changes = Lock<[Changes]>([])

  /// How calls ended; the first end of each counts.
  var ends: [Settlement] {
    var seen: Set<JobID> = []
    let calls = Set(submitted.filter(\.batch.isOfCalls).map(\.id))
    return changes.withLock { $0 }.flatMap(\.jobs).compactMap { change in
      guard let end = change.settlement, calls.contains(end.job), seen.insert(end.job).inserted else {
        return nil
      }
      return end
    }
  }

  var submitted: [Job] {
    changes.withLock { $0 }.flatMap(\.submissions).flatMap(\.jobs).map(\.job)
  }

  func commit(_ changes: Changes, at now: Moment) async throws(LedgerError) -> ChangesMade {
    self.changes.withLock { $0.append(changes) }
    return try await base.commit(changes, at: now)
  }

  func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) async throws(LedgerError) -> [NumberedRow] {
    if batch.isOfCalls, let fault = fault.withLock({ $0 }) { throw fault }
    return try await base.rows(of: batch, after: number, limit: limit, bytes: bytes)
  }
}
