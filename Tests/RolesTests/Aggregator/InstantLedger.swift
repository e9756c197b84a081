import Pipeline

/// Nothing is heard while it is at a commit, so that whoever is asked for messages knows that a turn is over.
struct InstantLedger: Ledger {
  let base: any Ledger
  let isInstant = true

  func commit(_ events: [LedgerEvent], at now: Moment) async throws(LedgerError) -> [LedgerAnswer] {
    try await base.commit(events, at: now)
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
