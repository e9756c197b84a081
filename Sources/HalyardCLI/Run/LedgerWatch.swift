import Pipeline
import Posix

/// Sees how long a run's ledger takes no more, as when its disk is full: the run waits then, and nothing can be finished.
final class LedgerWatch: Sendable {
  /// What passes sooner is nobody's concern.
  private static let toleratedMilliseconds: Int64 = 1_000

  private struct State {
    /// Of the first commit of a row that failed, by the monotonic clock.
    var since: Int64?
    var fault: LedgerError?
  }

  private let state = Lock(State())
  /// nil for a run that waits for ever, because somebody sits before it.
  private let patienceMilliseconds: Int64?

  init(patienceMilliseconds: Int64?) {
    self.patienceMilliseconds = patienceMilliseconds
  }

  /// An interrupted run has nothing to wait for.
  var isStuck: Bool { waited() > Self.toleratedMilliseconds }

  /// Why the run is given up; nil as long as it is not.
  var givenUp: LedgerError? {
    guard let patienceMilliseconds, waited() > patienceMilliseconds else { return nil }
    return state.withLock { $0.fault }
  }

  private func waited() -> Int64 {
    let since = state.withLock { $0.since }
    return since.map { (SystemTime.monotonicMicroseconds - $0) / 1_000 } ?? 0
  }

  fileprivate func failed(_ fault: LedgerError) {
    state.withLock { state in
      state.since = state.since ?? SystemTime.monotonicMicroseconds
      state.fault = fault
    }
  }

  fileprivate func succeeded() {
    state.withLock { if $0.since != nil { $0 = State() } }
  }
}

/// A ledger whose commits are watched.
struct WatchedLedger: Ledger {
  let base: any Ledger
  let watch: LedgerWatch

  func commit(_ events: [LedgerEvent], at now: Moment) async throws(LedgerError) -> [LedgerAnswer] {
    do {
      let answers = try await base.commit(events, at: now)
      watch.succeeded()
      return answers
    } catch {
      if error.mayPass { watch.failed(error) }
      throw error
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

  func cancellations() async throws(LedgerError) -> [KnownCancellation] { try await base.cancellations() }

  func unfinishedBatches(before moment: Moment, limit: Int) async throws(LedgerError) -> [BatchID] {
    try await base.unfinishedBatches(before: moment, limit: limit)
  }

  func lastSeen() async throws(LedgerError) -> [WorkerID: Moment] { try await base.lastSeen() }

  func lastToken() async throws(LedgerError) -> LeaseToken { try await base.lastToken() }

  func forget(_ rule: ForgettingRule, before moment: Moment, limit: Int) async throws(LedgerError) -> Int {
    try await base.forget(rule, before: moment, limit: limit)
  }
}
