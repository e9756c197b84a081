/// The port to what is remembered. Only the aggregator touches it.
public protocol Ledger: Sendable {
  /// No disk is waited for: nothing needs to be done while a commit is under way.
  var isInstant: Bool { get }

  /// Who owns it now.
  func owner() async throws(LedgerError) -> LedgerOwner

  /// Makes an aggregator the owner, whoever it was before, and bounds what a clock that was ahead has left: no retry waits
  /// for longer than `longestPause` milliseconds from now.
  ///
  /// - Parameter holder: Random, and another one for each incarnation of a process.
  func takeOver(
    as holder: UUIDv7, at now: Moment, longestPause: Int64
  ) async throws(LedgerError) -> Inheritance

  /// The owner is still there. Cheap enough for every second: not each renewal has to be on the disk.
  func renew(_ term: LedgerTerm, at now: Moment) async throws(LedgerError)

  /// The owner ends: the next one need not wait until it seems to be dead.
  func resign(_ term: LedgerTerm) async throws(LedgerError)

  /// Makes all changes in one transaction, and answers each. Under another term than the owner's nothing is changed.
  func commit(_ changes: Changes, at now: Moment) async throws(LedgerError) -> ChangesMade

  func page(_ query: JobQuery) async throws(LedgerError) -> JobPage

  /// Ready jobs of a batch, a few of each host. Of the jobs of a host that is passed over only a few are looked at.
  func readyJobs(_ wish: ReadyWish) async throws(LedgerError) -> ReadyPage

  /// Finished rows of a batch by number, from the one after `number`: at most `limit`, and none after the one that
  /// makes it `bytes` of JSON.
  func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) async throws(LedgerError) -> [NumberedRow]

  /// nil when the batch is unknown.
  func progress(of batch: BatchID) async throws(LedgerError) -> BatchProgress?

  /// How many jobs are in which state, and the newest batches, at most `limit`. Cheap enough to ask every second,
  /// however many jobs there are.
  func summary(batches limit: Int) async throws(LedgerError) -> LedgerSummary

  /// Listed batches come the newest first, all others in the order in which they came.
  func batches(_ query: BatchQuery) async throws(LedgerError) -> BatchPage

  /// All that is known of one job, over or not; nil when there is none of this id.
  func story(of job: JobID) async throws(LedgerError) -> JobStory?

  /// Jobs by what is known of them, dead letters with how they failed. So little is looked at for a page that it does not
  /// take long.
  func jobs(_ search: JobSearch) async throws(LedgerError) -> FoundJobs

  /// When the oldest job in each open state was submitted. Cheap enough to ask every second, however many jobs there are.
  func oldestJobs() async throws(LedgerError) -> [JobPhase: Moment]

  /// What is paused, and the terms of unfinished batches.
  func shares() async throws(LedgerError) -> KnownShares

  /// Deletes jobs, causes and rows of complete batches that have not changed since `moment`, the oldest batch first,
  /// in one short transaction: commits get their turn between two steps. The counts of a batch shrink with it, and
  /// with its last job the batch is unknown. With a choice of ends it also looks at no more than `limit` rows.
  ///
  /// - Parameters:
  ///   - place: Where the step before said to go on; nil for the first.
  ///   - limit: How many jobs are forgotten at most.
  func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int, under term: LedgerTerm
  ) async throws(LedgerError) -> ForgettingStep

  /// Looks after its files every few seconds: whether they are still there, and whether the reserve can be made.
  func look(at now: Moment) async throws(LedgerError) -> LedgerStanding

  /// Deletes the reserve, so that something can be committed on a full disk.
  ///
  /// - Returns: False when there was none.
  func giveUpReserve() async throws(LedgerError) -> Bool

  /// What it takes on its disk, and what is in it. Cheap enough to ask every few seconds, however many jobs there are.
  func size() async throws(LedgerError) -> LedgerSize

  /// Gives free room back to the disk, `bytes` of it at most, in one short transaction.
  func shrink(bytes: Int64) async throws(LedgerError) -> FileStep

  /// A short step of a copy of the ledger's file, which is made beside it for its owner alone. The copy has what is
  /// committed until its last step. Another id begins another copy, and drops one that is under way.
  func copy(_ id: UUIDv7) async throws(LedgerError) -> FileStep

  /// Drops a copy that is under way.
  func endCopy() async
}

extension Ledger {
  public var isInstant: Bool { false }

  /// Rows of all batches, or of one, from the place after `place`: at most `limit`, and none after the one that makes it
  /// `bytes` of JSON. Those of passing batches and of calls of runs are left out.
  public func storedRows(
    of batch: BatchID?, after place: RowPlace, limit: Int, bytes: Int
  ) async throws(LedgerError) -> StoredRows {
    var (found, room) = (StoredRows(), bytes)
    let shown = try await batches(.shown(batch, from: place.serial, limit: 100))
    for batch in shown.items {
      let after = batch.serial == place.serial ? place.number : 0
      let rows = try await rows(of: batch.id, after: after, limit: limit - found.items.count, bytes: room)
      found.items += rows
      room -= rows.reduce(0) { $0 + $1.json.count }
      if found.items.count >= limit || room <= 0 {
        let last = rows.last?.number ?? after
        // In the middle of a batch only when it has more rows, so that the next reader can tell that it is gone.
        found.next =
          last < batch.progress.rows
          ? RowPlace(serial: batch.serial, number: last) : RowPlace(serial: batch.serial + 1, number: 0)
        return found
      }
    }
    found.next = shown.next.map { RowPlace(serial: $0 + 1, number: 0) }
    return found
  }
}

/// The ledger could not be read or written; nothing of what was asked has happened, unless it is `unreachable`.
public struct LedgerError: Error, Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Another process is using it.
    case locked
    /// There is no room to write.
    case full
    case readOnly
    case corrupt
    /// Its file was removed or replaced while it is in use.
    case removed
    /// Another aggregator has taken it over.
    case fenced
    /// How it ended is not known: it may have happened.
    case unreachable
    /// A newer version of the program wrote it.
    case newerSchema
    /// The data is too large for any ledger.
    case tooLarge
    case other
  }

  public var kind: Kind
  /// One line: what, where, cause, and what to do next.
  public var message: String

  public init(_ message: String, kind: Kind = .other) {
    self.kind = kind
    self.message = message
  }

  /// Whether the same commit can succeed later without opening the ledger anew.
  public var mayPass: Bool {
    switch kind {
    case .locked, .full, .readOnly, .removed, .unreachable, .other: true
    case .corrupt, .fenced, .newerSchema, .tooLarge: false
    }
  }
}
