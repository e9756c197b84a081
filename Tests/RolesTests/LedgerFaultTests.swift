import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// A ledger that cannot commit holds everything up, or ends the run.
@Suite(.timeLimit(.minutes(1)))
struct LedgerFaultTests {
  private let page = ScriptedFetching(["http://a.test/": .page("<title>A</title>")])
  private let drafts = [JobDraft(kind: .title, input: "http://a.test/")]

  @Test func `a fault that passes is waited for`() async throws {
    var pipeline = TestPipeline()
    pipeline.ledger = FaultyLedger(LedgerError("the disk is full", kind: .full), times: 3)
    #expect(try await pipeline.run(drafts, over: page).count == 1)
  }

  @Test func `a fault that stays ends the run`() async throws {
    var pipeline = TestPipeline()
    let fault = LedgerError("it is damaged", kind: .corrupt)
    pipeline.ledger = FaultyLedger(fault, times: .max)
    await #expect(throws: fault) { try await pipeline.run(drafts, over: page) }
  }
}

/// Fails so many commits, then works.
private struct FaultyLedger: Ledger {
  let base = MemoryLedger()
  let fault: LedgerError
  let left: Lock<Int>

  init(_ fault: LedgerError, times: Int) {
    self.fault = fault
    left = Lock(times)
  }

  func commit(_ events: [LedgerEvent], at now: Moment) async throws(LedgerError) -> [LedgerAnswer] {
    let fails = left.withLock { left in
      defer { left = max(0, left - 1) }
      return left > 0
    }
    if fails { throw fault }
    return await base.commit(events, at: now)
  }

  func openJobs(_ which: JobSelection, after id: JobID?, limit: Int) async -> [OpenJob] {
    await base.openJobs(which, after: id, limit: limit)
  }
  func deadJobs(of batch: BatchID?, after id: JobID?, limit: Int) async -> [JobID] {
    await base.deadJobs(of: batch, after: id, limit: limit)
  }
  func rows(of batch: BatchID, after number: UInt64, limit: Int) async -> [NumberedRow] {
    await base.rows(of: batch, after: number, limit: limit)
  }
  func progress(of batch: BatchID) async -> BatchProgress? { await base.progress(of: batch) }
  func summary(batches limit: Int) async -> LedgerSummary { await base.summary(batches: limit) }
  func lastSeen() async -> [WorkerID: Moment] { await base.lastSeen() }
  func lastToken() async -> LeaseToken { await base.lastToken() }
  func forget(_ rule: ForgettingRule, before moment: Moment, limit: Int) async -> Int {
    await base.forget(rule, before: moment, limit: limit)
  }
}
