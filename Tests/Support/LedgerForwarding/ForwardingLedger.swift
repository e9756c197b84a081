public import Pipeline

/// A ledger in front of another one: it changes the calls that it implements itself, and passes on all others.
///
/// `isInstant` is not passed on, because what the front adds may take time.
public protocol ForwardingLedger: Ledger {
  /// The ledger behind it; an error of the getter is the error of the call.
  var base: any Ledger { get throws(LedgerError) }
}

extension ForwardingLedger {
  public func owner() async throws(LedgerError) -> LedgerOwner { try await base.owner() }

  public func takeOver(
    as holder: UUIDv7, at now: Moment, longestPause: Int64
  ) async throws(LedgerError) -> Inheritance {
    try await base.takeOver(as: holder, at: now, longestPause: longestPause)
  }

  public func renew(_ term: LedgerTerm, at now: Moment) async throws(LedgerError) {
    try await base.renew(term, at: now)
  }

  public func resign(_ term: LedgerTerm) async throws(LedgerError) { try await base.resign(term) }

  public func commit(
    _ changes: Changes, at now: Moment
  ) async throws(LedgerError) -> ChangesMade {
    try await base.commit(changes, at: now)
  }

  public func page(_ query: JobQuery) async throws(LedgerError) -> JobPage {
    try await base.page(query)
  }

  public func readyJobs(_ wish: ReadyWish) async throws(LedgerError) -> ReadyPage {
    try await base.readyJobs(wish)
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

  public func batches(_ query: BatchQuery) async throws(LedgerError) -> BatchPage {
    try await base.batches(query)
  }

  public func story(of job: JobID) async throws(LedgerError) -> JobStory? {
    try await base.story(of: job)
  }

  public func jobs(_ search: JobSearch) async throws(LedgerError) -> FoundJobs {
    try await base.jobs(search)
  }

  public func oldestJobs() async throws(LedgerError) -> [JobPhase: Moment] {
    try await base.oldestJobs()
  }

  public func shares() async throws(LedgerError) -> KnownShares {
    try await base.shares()
  }

  public func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int, under term: LedgerTerm
  ) async throws(LedgerError) -> ForgettingStep {
    try await base.forget(rule, before: moment, from: place, limit: limit, under: term)
  }

  public func look(at now: Moment) async throws(LedgerError) -> LedgerStanding {
    try await base.look(at: now)
  }

  public func giveUpReserve() async throws(LedgerError) -> Bool { try await base.giveUpReserve() }

  public func size() async throws(LedgerError) -> LedgerSize {
    try await base.size()
  }

  public func shrink(bytes: Int64) async throws(LedgerError) -> FileStep {
    try await base.shrink(bytes: bytes)
  }

  public func copy(_ id: UUIDv7) async throws(LedgerError) -> FileStep {
    try await base.copy(id)
  }

  public func endCopy() async {
    try? await base.endCopy()
  }
}
