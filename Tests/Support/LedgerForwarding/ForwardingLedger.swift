public import Pipeline

/// A ledger in front of another one: it changes the calls that it implements itself, and passes on all others.
///
/// `isInstant` is not passed on, because what the front adds may take time.
public protocol ForwardingLedger: Ledger {
  /// The ledger behind it; an error of the getter is the error of the call.
  var base: any Ledger { get throws(LedgerError) }
}

extension ForwardingLedger {
  public func commit(
    _ changes: Changes, at now: Moment
  ) async throws(LedgerError) -> ChangesMade {
    try await base.commit(changes, at: now)
  }

  public func openJobs(
    _ which: JobSelection, after id: JobID?, limit: Int
  ) async throws(LedgerError) -> [OpenJob] {
    try await base.openJobs(which, after: id, limit: limit)
  }

  public func openJobs(_ ids: [JobID]) async throws(LedgerError) -> [OpenJob] {
    try await base.openJobs(ids)
  }

  public func readyBatches(after batch: BatchID?, limit: Int) async throws(LedgerError) -> [BatchID] {
    try await base.readyBatches(after: batch, limit: limit)
  }

  public func readyJobs(_ wish: ReadyWish) async throws(LedgerError) -> ReadyPage {
    try await base.readyJobs(wish)
  }

  public func readyJobs(
    of batch: BatchID, host: String, after id: JobID?, limit: Int
  ) async throws(LedgerError) -> HostPage {
    try await base.readyJobs(of: batch, host: host, after: id, limit: limit)
  }

  public func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) async throws(LedgerError) -> [NumberedRow] {
    try await base.rows(of: batch, after: number, limit: limit, bytes: bytes)
  }

  public func progress(of batch: BatchID) async throws(LedgerError) -> BatchProgress? {
    try await base.progress(of: batch)
  }

  public func summary(batches limit: Int) async throws(LedgerError) -> LedgerSummary {
    try await base.summary(batches: limit)
  }

  public func batches(_ search: BatchSearch) async throws(LedgerError) -> BatchPage {
    try await base.batches(search)
  }

  public func story(of job: JobID) async throws(LedgerError) -> JobStory? {
    try await base.story(of: job)
  }

  public func jobs(_ search: JobSearch) async throws(LedgerError) -> JobPage {
    try await base.jobs(search)
  }

  public func oldestJobs() async throws(LedgerError) -> OldestJobs {
    try await base.oldestJobs()
  }

  public func cancellations() async throws(LedgerError) -> [KnownCancellation] {
    try await base.cancellations()
  }

  public func shares() async throws(LedgerError) -> KnownShares {
    try await base.shares()
  }

  public func unfinishedBatches(
    before moment: Moment, limit: Int
  ) async throws(LedgerError) -> [BatchID] {
    try await base.unfinishedBatches(before: moment, limit: limit)
  }

  public func inheritance() async throws(LedgerError) -> Inheritance {
    try await base.inheritance()
  }

  public func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int
  ) async throws(LedgerError) -> ForgettingStep {
    try await base.forget(rule, before: moment, from: place, limit: limit)
  }

  public func begin(at now: Moment, longestPause: Int64) async throws(LedgerError) -> LedgerBeginning {
    try await base.begin(at: now, longestPause: longestPause)
  }

  public func look(at now: Moment) async throws(LedgerError) -> LedgerStanding {
    try await base.look(at: now)
  }

  public func giveUpReserve() async throws(LedgerError) -> Bool { try await base.giveUpReserve() }

  public func size() async throws(LedgerError) -> LedgerSize {
    try await base.size()
  }

  public func shrink(bytes: Int64) async throws(LedgerError) -> ShrinkingStep {
    try await base.shrink(bytes: bytes)
  }

  public func copy(_ id: UUIDv7) async throws(LedgerError) -> CopyingStep {
    try await base.copy(id)
  }

  public func endCopy() async {
    try? await base.endCopy()
  }

  public func storedRows(
    of batch: BatchID?, after place: RowPlace, limit: Int, bytes: Int
  ) async throws(LedgerError) -> StoredRows {
    try await base.storedRows(of: batch, after: place, limit: limit, bytes: bytes)
  }
}
