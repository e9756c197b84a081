import Pipeline
import Posix

/// A ledger around whose commits a process dies, or which says that a commit failed although it did not.
struct FaultyLedger: Ledger {
  let base: any Ledger
  let fault: Fault

  func commit(_ events: [LedgerEvent], at now: Moment) async throws(LedgerError) -> [LedgerAnswer] {
    fault.passes(.beforeCommit)
    if fault.isDue(at: .duringCommit) { endSoon() }
    let answers = try await base.commit(events, at: now)
    if fault.denies(at: .afterCommit) { throw LedgerError("write ledger: how it ended is not known") }
    fault.passes(.afterCommit)
    return answers
  }

  /// At any moment of the next two milliseconds, which a commit takes in all; which one, the number says.
  private func endSoon() {
    let moment = SystemTime.monotonicMicroseconds + Int64(fault.number * 137 % 2_000)
    _ = try? Thread.start(name: "end") {
      while SystemTime.monotonicMicroseconds < moment {}
      fault.end()
    }
  }

  func openJobs(
    _ which: JobSelection, after id: JobID?, limit: Int
  ) async throws(LedgerError) -> [OpenJob] {
    try await base.openJobs(which, after: id, limit: limit)
  }

  func readyBatches(after batch: BatchID?, limit: Int) async throws(LedgerError) -> [BatchID] {
    try await base.readyBatches(after: batch, limit: limit)
  }

  func readyJobs(_ wish: ReadyWish) async throws(LedgerError) -> ReadyPage {
    try await base.readyJobs(wish)
  }

  func readyJobs(
    of batch: BatchID, host: String, after id: JobID?, limit: Int
  ) async throws(LedgerError) -> [OpenJob] {
    try await base.readyJobs(of: batch, host: host, after: id, limit: limit)
  }

  func deadJobs(of batch: BatchID?, after id: JobID?, limit: Int) async throws(LedgerError) -> [JobID] {
    try await base.deadJobs(of: batch, after: id, limit: limit)
  }

  func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) async throws(LedgerError) -> [NumberedRow] {
    try await base.rows(of: batch, after: number, limit: limit, bytes: bytes)
  }

  func progress(of batch: BatchID) async throws(LedgerError) -> BatchProgress? {
    try await base.progress(of: batch)
  }

  func summary(batches limit: Int) async throws(LedgerError) -> LedgerSummary {
    try await base.summary(batches: limit)
  }

  func cancellations() async throws(LedgerError) -> [KnownCancellation] {
    try await base.cancellations()
  }

  func unfinishedBatches(before moment: Moment, limit: Int) async throws(LedgerError) -> [BatchID] {
    try await base.unfinishedBatches(before: moment, limit: limit)
  }

  func lastSeen() async throws(LedgerError) -> [WorkerID: Moment] {
    try await base.lastSeen()
  }

  func lastToken() async throws(LedgerError) -> LeaseToken {
    try await base.lastToken()
  }

  func forget(_ rule: ForgettingRule, before moment: Moment, limit: Int) async throws(LedgerError) -> Int {
    try await base.forget(rule, before: moment, limit: limit)
  }
}
