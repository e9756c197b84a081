import LedgerForwarding
import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Testing

@testable import Roles

/// A ledger whose file is gone, whose disk is full, or whose clock has jumped.
@Suite(.timeLimit(.minutes(10)))
struct LedgerStandingTests {
  private let fixture = AggregatorFixture()
  private let log = LineLog()

  private func run(_ ledger: any Ledger, _ bursts: [[Message]], keeping: Int64? = nil) async
    -> RecordingTransport
  {
    let transport = RecordingTransport()
    var settings = AggregatorSettings()
    settings.workersMayLive = true
    settings.keepsBatchesMilliseconds = keeping
    let inbox = ScriptedInbox(
      Address("inproc://aggregator"), bursts.map { $0.map { .envelope(Envelope($0)) } },
      beforeEach: { [clock = fixture.clock] in clock.advance(byMilliseconds: 1_000) })
    let aggregator = Aggregator(
      settings: settings, inbox: inbox, ledger: ledger,
      ports: RolePorts(transport: transport, clock: fixture.clock, random: .seeded(1), log: log))
    try? await aggregator.run()
    return transport
  }

  private func status() -> Message { fixture.ask(StatusQuestion()) }

  /// What was told of a schema.
  private func reports(_ schema: String, _ transport: RecordingTransport) -> [String] {
    tells(transport).map { String(decoding: $0.json, as: UTF8.self) }.filter { $0.contains(schema) }
  }

  private func tells(_ transport: RecordingTransport) -> [Tell] {
    transport.sent(to: fixture.client).compactMap { if case .tell(let tell) = $0 { tell } else { nil } }
  }

  private func answers(_ transport: RecordingTransport) -> [Answer] {
    transport.sent(to: fixture.client).compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
  }

  @Test func `submissions to a ledger whose file is gone are refused, and the status says why`() async throws
  {
    let missing = LedgerError("ledger x: it was removed", kind: .removed)
    let ledger = StandingLedger(LedgerStanding(missing: missing))
    let sent = await run(ledger, [[], [fixture.submission(0..<3, total: 3), status()]])
    let refusals = sent.sent(to: fixture.producer).compactMap { message -> Failure? in
      if case .receipt(let receipt) = message { receipt.refusal } else { nil }
    }
    #expect(refusals.count == 1)
    #expect(refusals.first?.message.hasSuffix("ledger x: it was removed") == true)
    #expect(reports("status/1", sent).last?.contains(#""reason":"ledger x: it was removed""#) == true)
    #expect(log.count(of: "the ledger's file is gone") == 1)
  }

  @Test func `nothing is old after a jump of the clock, and what is forgotten later is named`() async throws {
    let now = fixture.clock.now
    let memory = MemoryLedger()
    let job = Job(batch: fixture.batch, ordinal: 0, kind: .title, input: "http://a.test/")
    let end = Settlement(of: job, lease: nil, end: .done, failure: nil, row: Array("{}".utf8))
    _ = try await memory.commit(
      [.submit([job]), .settle(end), .close(fixture.batch, total: 1)],
      at: now.advanced(byMilliseconds: -9_000))
    let jump = ClockGap(began: now.advanced(byMilliseconds: -8_500), ended: now)
    let kept = StandingLedger(LedgerStanding(), gaps: [jump], base: memory)
    _ = await run(kept, [[], []], keeping: 5_000)
    #expect(await memory.progress(of: fixture.batch) != nil)
    #expect(log.count(of: "batch forgotten") == 0)
    _ = await run(StandingLedger(LedgerStanding(), base: memory), [[], []], keeping: 5_000)
    #expect(await memory.progress(of: fixture.batch) == nil)
    #expect(log.count(of: "batch forgotten") == 1)
  }

  @Test func `what is only counted is not told as forgotten, and what is forgotten is paused no more`()
    async throws
  {
    let memory = MemoryLedger()
    let job = Job(batch: fixture.batch, ordinal: 0, kind: .title, input: "http://a.test/")
    let end = Settlement(of: job, lease: nil, end: .done, failure: nil, row: Array("{}".utf8))
    _ = try await memory.commit(
      [
        .submit([job]), .settle(end), .close(fixture.batch, total: 1),
        .pause(.batch(fixture.batch), Pause(by: "ann@box")),
      ], at: fixture.clock.now)
    func forget(onlyCounts: Bool, _ id: UInt64) -> Message {
      let choice = ForgettingChoice(batch: fixture.batch, unconfirmedToo: true, onlyCounts: onlyCounts)
      let task = LedgerTask.forget(choice, olderThanMilliseconds: 0)
      return fixture.ask(CareOrder(task), id: id)
    }
    func isPaused(_ transport: RecordingTransport) -> Bool? {
      reports("status/1", transport).last?.contains("ann@box")
    }
    let counted = await run(memory, [[forget(onlyCounts: true, 1)], [], [], [status()]])
    #expect(log.count(of: "ledger cared for") == 0)
    #expect(isPaused(counted) == true)
    let forgotten = await run(memory, [[forget(onlyCounts: false, 2)], [], [], [status()]])
    #expect(log.count(of: "ledger cared for") == 1)
    #expect(isPaused(forgotten) == false)
  }

  @Test func `a cancel on a full disk has the reserve given up, and is done`() async throws {
    let ledger = StandingLedger(LedgerStanding(reserve: 32 << 20))
    let cancel = fixture.cancel()
    let sent = await run(ledger, [[fixture.submission(0..<3, total: 3)], [cancel], [status()], [status()]])
    #expect(ledger.disk.withLock { $0.isGivenUp })
    #expect(tells(sent).contains { (try? $0.reply(as: UInt64.self)) != nil })
    #expect(log.count(of: "the disk is full, and the ledger's reserve was given up") == 1)
  }

  @Test func `a cancel that meets a full disk on its way has the reserve given up, too`() async throws {
    let ledger = StandingLedger(LedgerStanding(reserve: 32 << 20))
    ledger.disk.withLock { $0.commitsUntilFull = 2 }
    let sent = await run(
      ledger, [[fixture.submission(0..<3, total: 3)], [fixture.cancel()], [], [], [status()], [status()]])
    #expect(log.count(of: "the disk is full, and the ledger's reserve was given up") == 1)
    #expect(reports("status/1", sent).last?.contains(#""cancelled":3"#) == true)
  }

  @Test func `what is sent to an aggregator that starts on a full disk is refused`() async throws {
    var standing = LedgerStanding()
    standing.needed = 12 << 20
    let ledger = StandingLedger(standing)
    ledger.disk.withLock { $0.isGivenUp = true }
    let sent = await run(ledger, [[fixture.submission(0..<3, total: 3), status()]])
    #expect(log.count(of: "the disk has no room for the ledger's reserve") == 1)
    #expect(reports("status/1", sent).last?.contains("given up: nothing new is taken in") == true)
    #expect(try await ledger.base.progress(of: fixture.batch) == nil)
  }

  /// With it there would be none left for the prune.
  @Test func `what waits to be taken in gets no room of the reserve`() async throws {
    let ledger = StandingLedger(LedgerStanding(reserve: 32 << 20))
    ledger.disk.withLock { $0.isFull = true }
    let task = LedgerTask.forget(ForgettingChoice(unconfirmedToo: true), olderThanMilliseconds: 0)
    let sent = await run(
      ledger,
      [[fixture.submission(0..<3, total: 3)], [fixture.ask(CareOrder(task), id: 7)], [], [], [status()]])
    #expect(ledger.disk.withLock { $0.isGivenUp })
    #expect(log.count(of: "the disk is full, and the ledger's reserve was given up") == 1)
    #expect(!sent.sent(to: fixture.producer).contains { if case .receipt = $0 { true } else { false } })
    #expect(reports("status/1", sent).last?.contains("its reserve is given up") == true)
  }

  @Test func `what pings and calls leave behind is no cancel that makes room`() {
    let cancel = JobSweep.Verb.cancel(BatchCancellation(cause: "late", everything: true))
    let passing = BatchID.passing(UUIDv7(high: 2, low: 1))
    #expect(JobSweep(.batch(fixture.batch, after: nil), cancel).cancels)
    #expect(JobSweep(.choice(JobChoice(fixture.batch), from: nil), cancel).cancels)
    #expect(!JobSweep(.batch(passing, after: nil), cancel).cancels)
    #expect(!JobSweep(.jobs([:]), cancel).cancels)
    #expect(!JobSweep(.batch(fixture.batch, after: nil), .requeue([])).cancels)
  }

  /// The commit that fails is not its own.
  @Test(arguments: [true, false])
  func `a prune goes on while nothing can be committed, and tells when not even the reserve is room enough`(
    reserveHelps: Bool
  ) async throws {
    let ledger = StandingLedger(LedgerStanding(reserve: 4 << 20))
    ledger.disk.withLock { ($0.takesJobs, $0.reserveHelps) = (false, reserveHelps) }
    let task = LedgerTask.forget(ForgettingChoice(unconfirmedToo: true), olderThanMilliseconds: 0)
    let asked = fixture.ask(CareQuestion(of: UUIDv7(high: 5, low: 7), task))
    let sent = await run(
      ledger,
      [[fixture.submission(0..<3, total: 3)], [fixture.ask(CareOrder(task), id: 7)], [], [asked], [status()]])
    let last = reports("ledger/1", sent).last
    #expect(last?.contains(#""state":"\#(reserveHelps ? "done" : "failed")""#) == true, "\(last ?? "none")")
    #expect(last?.contains("no room") == !reserveHelps)
  }

  @Test func `a commit that takes long does not look like a clock that was set`() async throws {
    var ledger = StandingLedger(LedgerStanding())
    ledger.slowed = fixture.clock
    _ = await run(ledger, [[fixture.submission(0..<3, total: 3)], [status()], [status()]])
    #expect(log.count(of: "the clock was set") == 0)
  }

  @Test func `that the ledger is gone is told also while its disk is full`() async throws {
    var standing = LedgerStanding(reserve: 4 << 20)
    standing.missing = LedgerError("ledger /l.db was removed")
    let ledger = StandingLedger(standing)
    ledger.disk.withLock { $0.isFull = true }
    let sent = await run(ledger, [[fixture.cancel()], [], [], [status()], [status()]])
    #expect(reports("status/1", sent).last?.contains("ledger /l.db was removed") == true)
    #expect(log.count(of: "the ledger's file is gone") == 1)
  }

  @Test func `the reserve is not given up for an echo that did not come back`() async throws {
    let ledger = StandingLedger(LedgerStanding(reserve: 32 << 20))
    let batch = BatchID.passing(UUIDv7(high: 2, low: 1))
    let cancel = fixture.ask(CancelOrder(JobChoice(batch), cause: "late"), within: 60_000)
    let submission = fixture.submission(0..<3, total: 3)
    let sent = await run(ledger, [[submission], [cancel], [cancel], [cancel], [status()], [status()]])
    #expect(!ledger.disk.withLock { $0.isGivenUp })
    #expect(tells(sent).allSatisfy { (try? $0.reply(as: UInt64.self)) == nil })
    #expect(log.count(of: "the disk is full, and the ledger's reserve was given up") == 0)
  }

  @Test func `a submission that fits nowhere does not hold up a cancel that makes room`() async throws {
    var standing = LedgerStanding(reserve: 4 << 20)
    standing.needed = 12 << 20
    let ledger = StandingLedger(standing)
    ledger.disk.withLock { ($0.isFull, $0.takesJobs) = (true, false) }
    let cancel = fixture.cancel()
    let sent = await run(
      ledger,
      [[fixture.submission(0..<3, total: 3)]] + Array(repeating: [cancel], count: 6) + [
        [status()], [status()],
      ])
    #expect(tells(sent).contains { (try? $0.reply(as: UInt64.self)) != nil })
    #expect(!sent.sent(to: fixture.producer).contains { if case .receipt = $0 { true } else { false } })
    #expect(reports("status/1", sent).last?.contains("until 12 MiB are free; ") == true)
  }

  @Test func `rows are read on a full disk, and their confirmation holds nothing up`() async throws {
    let memory = MemoryLedger()
    let job = Job(batch: fixture.batch, ordinal: 0, kind: .title, input: "http://a.test/")
    let end = Settlement(of: job, lease: nil, end: .done, failure: nil, row: Array("{}".utf8))
    _ = try await memory.commit(
      [.submit([job]), .settle(end), .close(fixture.batch, total: 1)], at: fixture.clock.now)
    let ledger = StandingLedger(LedgerStanding(), base: memory)
    ledger.disk.withLock { $0.isFull = true }
    let rows = Message.query(
      Query(replyTo: fixture.client, .rows(of: fixture.batch, confirmed: 0, limit: 9)))
    let confirmed = Message.query(
      Query(replyTo: fixture.client, .rows(of: fixture.batch, confirmed: 1, limit: 9)))
    let sent = await run(ledger, [[rows], [confirmed], [status()]])
    #expect(answers(sent).contains { if case .rows = $0 { true } else { false } })
    #expect(!reports("status/1", sent).isEmpty)
    #expect(log.count(of: "commit failed, trying again") == 0)
  }

  @Test(arguments: [LedgerError.Kind.full, .readOnly, .other])
  func `rows are read while a commit cannot be made, and the reader is told that these are all`(
    fault: LedgerError.Kind
  ) async throws {
    let memory = MemoryLedger()
    let batch = BatchID(UUIDv7(high: 2, low: 9))
    let job = Job(batch: batch, ordinal: 0, kind: .title, input: "http://a.test/")
    let end = Settlement(of: job, lease: nil, end: .done, failure: nil, row: Array("{}".utf8))
    _ = try await memory.commit([.submit([job]), .settle(end)], at: fixture.clock.now)
    func copies(after number: UInt64) -> Message {
      .query(Query(replyTo: fixture.client, .copies(of: batch, after: number, limit: 9)))
    }
    let backup = fixture.ask(CareOrder(.copy))
    let forgetting = LedgerTask.forget(ForgettingChoice(onlyCounts: true), olderThanMilliseconds: 0)
    let count = fixture.ask(CareOrder(forgetting), id: 6)
    let counted = fixture.ask(CareQuestion(of: UUIDv7(high: 5, low: 6), forgetting))
    let ledger = StandingLedger(LedgerStanding(), base: memory)
    ledger.disk.withLock { ($0.isFull, $0.fault) = (true, fault) }
    let sent = await run(
      ledger,
      [
        [fixture.submission(0..<3)], [copies(after: 0)], [copies(after: 1)], [count], [counted], [backup],
        [status()],
      ])
    let rows = answers(sent).compactMap {
      if case .rows(of: batch, _, let rows) = $0 { rows.count } else { nil }
    }
    #expect(rows.contains(1) && rows.last == 0)
    let reports = reports("ledger/1", sent)
    #expect(reports.last?.contains("no room") == true)
    // In steps, as ever.
    #expect(reports.first?.contains(#""verb":"prune","state":"working""#) == true, "\(reports)")
    #expect(
      reports.dropFirst().first?.contains(#""verb":"prune","state":"done","jobs":"#) == true, "\(reports)")
  }
}

/// Stands as a test says. Its disk is full once something was submitted, until the reserve is given up.
private struct StandingLedger: ForwardingLedger {
  struct Disk {
    var isFull = false
    /// What a commit fails with then.
    var fault = LedgerError.Kind.full
    var commitsUntilFull = 1
    var isGivenUp = false
    var reserveHelps = true
    /// A submission has room.
    var takesJobs = true
  }

  let isInstant = true
  let base: any Ledger
  let standing: LedgerStanding
  let gaps: [ClockGap]
  let disk = Lock(Disk())
  /// Whose time passes during a commit.
  var slowed: ManualClock?

  init(_ standing: LedgerStanding, gaps: [ClockGap] = [], base: any Ledger = MemoryLedger()) {
    (self.standing, self.gaps, self.base) = (standing, gaps, base)
  }

  func commit(_ changes: Changes, at now: Moment) async throws(LedgerError) -> ChangesMade {
    let brings = changes.submissions.contains { !$0.jobs.isEmpty }
    let fits = disk.withLock { disk in
      (disk.takesJobs || !brings) && (!disk.isFull || disk.isGivenUp && disk.reserveHelps)
    }
    guard fits else { throw LedgerError("no room", kind: disk.withLock(\.fault)) }
    if standing.reserve > 0 {
      disk.withLock { disk in
        disk.commitsUntilFull -= 1
        disk.isFull = disk.isFull || disk.commitsUntilFull <= 0
      }
    }
    slowed?.advance(byMilliseconds: 5_000)
    return try await base.commit(changes, at: now)
  }

  func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int, under term: LedgerTerm
  ) async throws(LedgerError) -> ForgettingStep {
    let writes = !rule.choice.onlyCounts
    if disk.withLock({ !($0.isGivenUp && $0.reserveHelps) && ($0.isFull && writes || !$0.takesJobs) }) {
      throw LedgerError("no room", kind: .full)
    }
    return try await base.forget(rule, before: moment, from: place, limit: limit, under: term)
  }

  func takeOver(
    as holder: UUIDv7, at now: Moment, longestPause: Int64
  ) async throws(LedgerError) -> Inheritance {
    var left = try await base.takeOver(as: holder, at: now, longestPause: longestPause)
    (left.retention, left.gap) = (Retention(gaps), gaps.last)
    return left
  }

  func look(at now: Moment) async throws(LedgerError) -> LedgerStanding {
    var standing = standing
    standing.isReserveGivenUp = disk.withLock { $0.isGivenUp }
    return standing
  }

  func giveUpReserve() async throws(LedgerError) -> Bool {
    disk.withLock { disk in
      defer { disk.isGivenUp = true }
      return !disk.isGivenUp
    }
  }
}

private final class LineLog: Log {
  private let counts = Lock<[String: Int]>([:])

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    counts.withLock { $0["\(message)", default: 0] += 1 }
  }

  func count(of message: String) -> Int { counts.withLock { $0[message] ?? 0 } }
}
