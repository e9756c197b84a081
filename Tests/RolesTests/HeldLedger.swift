import Coordination
import LedgerMemory
import Pipeline

/// The commits of submissions are held up until somebody lets them go on.
actor HeldLedger: Ledger {
  private let base = MemoryLedger()
  private let begun = Channel<Void>(capacity: .conflating)
  private var isOpen = false
  private var held: [CheckedContinuation<Void, Never>] = []
  /// Submissions that are under way or done.
  private(set) var submissions = 0

  /// Returns when a commit is held up.
  nonisolated func holds() async throws { _ = try await begun.receive() }

  func letGo() {
    isOpen = true
    for one in held { one.resume() }
    held = []
  }

  func commit(_ events: [LedgerEvent], at now: Moment) async throws(LedgerError) -> [LedgerAnswer] {
    let isSubmission = events.contains { if case .submit = $0 { true } else { false } }
    if isSubmission {
      submissions += 1
      if !isOpen {
        _ = try? begun.offer(())
        await withCheckedContinuation { held.append($0) }
      }
    }
    return await base.commit(events, at: now)
  }

  func openJobs(_ which: JobSelection, after id: JobID?, limit: Int) async -> [OpenJob] {
    await base.openJobs(which, after: id, limit: limit)
  }

  func readyBatches(after batch: BatchID?, limit: Int) async -> [BatchID] {
    await base.readyBatches(after: batch, limit: limit)
  }

  func readyJobs(_ wish: ReadyWish) async -> ReadyPage { await base.readyJobs(wish) }

  func readyJobs(of batch: BatchID, host: String, after id: JobID?, limit: Int) async -> [OpenJob] {
    await base.readyJobs(of: batch, host: host, after: id, limit: limit)
  }

  func deadJobs(of batch: BatchID?, after id: JobID?, limit: Int) async -> [JobID] {
    await base.deadJobs(of: batch, after: id, limit: limit)
  }

  func rows(of batch: BatchID, after number: UInt64, limit: Int, bytes: Int) async -> [NumberedRow] {
    await base.rows(of: batch, after: number, limit: limit, bytes: bytes)
  }

  func progress(of batch: BatchID) async -> BatchProgress? { await base.progress(of: batch) }
  func summary(batches limit: Int) async -> LedgerSummary { await base.summary(batches: limit) }
  func cancellations() async -> [KnownCancellation] { await base.cancellations() }

  func unfinishedBatches(before moment: Moment, limit: Int) async -> [BatchID] {
    await base.unfinishedBatches(before: moment, limit: limit)
  }

  func lastSeen() async -> [WorkerID: Moment] { await base.lastSeen() }
  func lastToken() async -> LeaseToken { await base.lastToken() }

  func forget(_ rule: ForgettingRule, before moment: Moment, limit: Int) async -> Int {
    await base.forget(rule, before: moment, limit: limit)
  }
}
