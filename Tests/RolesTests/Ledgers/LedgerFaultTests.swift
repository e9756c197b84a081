import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// A ledger that cannot be written or read holds everything up, or ends the run.
@Suite(.timeLimit(.minutes(10)))
struct LedgerFaultTests {
  private let page = ScriptedFetching(["http://a.test/": .page("<title>A</title>")])
  private let drafts = [JobDraft(kind: .title, input: "http://a.test/")]

  @Test(arguments: [LedgerError.Kind.full, .readOnly, .locked, .unreachable, .other])
  func `a fault that passes is waited for`(kind: LedgerError.Kind) async throws {
    var pipeline = TestPipeline()
    pipeline.ledger = FailingLedger(LedgerError("it cannot be written", kind: kind), times: 3)
    #expect(try await pipeline.run(drafts, over: page).count == 1)
  }

  @Test(arguments: [LedgerError.Kind.locked, .other])
  func `a read that fails is tried again`(kind: LedgerError.Kind) async throws {
    var pipeline = TestPipeline()
    pipeline.ledger = FailingLedger(LedgerError("it cannot be read", kind: kind), at: .read, times: 20)
    #expect(try await pipeline.run(drafts, over: page).count == 1)
  }

  @Test(arguments: [FailingLedger.Call.commit, .read])
  func `a fault that is waited for is told, and that it has passed`(call: FailingLedger.Call) async throws {
    var pipeline = TestPipeline()
    let (fault, told) = (LedgerError("the disk fails", kind: .other), Lock<[LedgerError?]>([]))
    pipeline.ledger = FailingLedger(fault, at: call, times: 3)
    pipeline.ledgerFails = { fault in told.withLock { $0.append(fault) } }
    #expect(try await pipeline.run(drafts, over: page).count == 1)
    #expect(told.withLock { $0 } == [fault, nil])
  }

  @Test(arguments: [FailingLedger.Call.commit, .read])
  func `a fault that stays ends the run`(call: FailingLedger.Call) async throws {
    var pipeline = TestPipeline()
    let fault = LedgerError("it is damaged", kind: .corrupt)
    pipeline.ledger = FailingLedger(fault, at: call)
    await #expect(throws: fault) { try await pipeline.run(drafts, over: page) }
  }
}
