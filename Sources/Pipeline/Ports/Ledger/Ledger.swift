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

/// The time for which one aggregator owns a ledger. The epoch alone does not name it: a database that lost its last commits
/// can give the same one again.
public struct LedgerTerm: Hashable, Sendable {
  /// Grows with each takeover.
  public let epoch: UInt64
  /// Random, of one incarnation of a process.
  public let holder: UUIDv7

  public init(epoch: UInt64, holder: UUIDv7) {
    (self.epoch, self.holder) = (epoch, holder)
  }

  /// Of a ledger that no aggregator has owned yet.
  public static let none = LedgerTerm(epoch: 0, holder: nobody)
  fileprivate static let nobody = UUIDv7(high: 0, low: 0)
}

/// Who owns a ledger: one aggregator at a time. What another one commits, or one whose term is over, is refused. A pure
/// value.
public struct LedgerOwner: Hashable, Sendable {
  public private(set) var term: LedgerTerm
  /// When it last said that it is there; nil before the first owner.
  public private(set) var renewedAt: Moment?

  public init(_ term: LedgerTerm = .none, renewedAt: Moment? = nil) {
    (self.term, self.renewedAt) = (term, renewedAt)
  }

  /// Throws when it is not, or no longer, the owner's term.
  ///
  /// - Parameter action: What is refused, and where.
  public func check(_ term: LedgerTerm, _ action: @autoclosure () -> String) throws(LedgerError) {
    guard term != self.term else { return }
    throw LedgerError(
      "\(action()): another aggregator has taken it over, in epoch \(self.term.epoch) after \(term.epoch); this one must end",
      kind: .fenced)
  }

  /// Ends the term of whoever owns it.
  public mutating func takeOver(as holder: UUIDv7, at now: Moment) {
    self = LedgerOwner(LedgerTerm(epoch: term.epoch + 1, holder: holder), renewedAt: now)
  }

  public mutating func renew(at now: Moment) { renewedAt = now }

  public mutating func resign() { term = LedgerTerm(epoch: term.epoch, holder: LedgerTerm.nobody) }
}

/// What outlives an aggregator beside batches and jobs, and what the next one finds of the time between.
public struct Inheritance: Sendable {
  /// Under which it commits from now on.
  public let term: LedgerTerm
  /// The greatest token that was ever granted, so that greater ones are granted from now on; 0 when there was none.
  public let lastToken: LeaseToken
  /// What lease tokens are sealed with: random, and the same as long as the ledger is there.
  public let leaseKey: LeaseKey
  /// When each worker spoke last; those that have been silent for a day are left out.
  public let lastSeen: [WorkerID: Moment]
  public var retention = Retention()
  /// Hosts that are still to be left alone.
  public var waits: [String: HostWait] = [:]
  /// The gap that ends now; nil after a restart.
  public var gap: ClockGap?
  /// Retries that a clock of before had put off for longer than any pause lasts: they are due within one.
  public var shortenedPauses = 0

  public init(
    _ term: LedgerTerm, lastToken: LeaseToken, leaseKey: LeaseKey, lastSeen: [WorkerID: Moment]
  ) {
    (self.term, self.lastToken, self.leaseKey) = (term, lastToken, leaseKey)
    let oldest = lastSeen.values.max()?.advanced(byMilliseconds: -Changes.unseenWorkersKeptMilliseconds)
    self.lastSeen = lastSeen.filter { worker in oldest.map { worker.value >= $0 } ?? false }
  }
}

/// A time in which no process used the ledger, or a jump of the clock: the ledger cannot tell them apart.
public struct ClockGap: Hashable, Sendable {
  /// When the ledger was last known to be in use.
  public var began: Moment
  /// What the clock said when it was opened again; before `began` when the clock went back.
  public var ended: Moment

  public init(began: Moment, ended: Moment) {
    self.began = began
    self.ended = ended
  }

  /// A renewal is on the disk so often.
  public static let notedMilliseconds: Int64 = 600_000
  private static let shortest: Int64 = 3_600_000
  private static let backMilliseconds: Int64 = 60_000

  /// nil when what lies between is no more than a restart.
  public init?(since seen: Moment, at now: Moment) {
    let passed = now.milliseconds(since: seen)
    guard passed > Self.shortest || passed < -Self.backMilliseconds else { return nil }
    self.init(began: seen, ended: now)
  }

  public var milliseconds: Int64 { ended.milliseconds(since: began) }
}

/// What is old enough to be forgotten. Time counts while the ledger is in use, so that a clock that jumps makes nothing old.
public struct Retention: Hashable, Sendable {
  private let gaps: [ClockGap]
  /// A gap counts as time once the operator has had a day to notice it, but never for unread rows.
  private static let graceMilliseconds: Int64 = 86_400_000

  public init(_ gaps: [ClockGap] = []) {
    self.gaps = gaps.sorted { $0.ended > $1.ended }
  }

  /// What was over before this moment is older than `age`.
  ///
  /// - Parameter isUnread: Its rows have not been read to the end.
  public func limit(_ age: Int64, isUnread: Bool, at now: Moment) -> Moment {
    var (end, left) = (now, age)
    for gap in gaps where isUnread || now.milliseconds(since: gap.ended) < Self.graceMilliseconds {
      let used = max(0, end.milliseconds(since: gap.ended))
      guard used < left else { break }
      // Of a clock that went back, what it said before was no time either.
      (end, left) = (min(end, gap.began, gap.ended), left - used)
    }
    return end.advanced(byMilliseconds: -left)
  }
}

/// How the files of a ledger stand.
public struct LedgerStanding: Hashable, Sendable {
  /// The file was removed or replaced while it is in use; nil when it is where it was.
  public var missing: LedgerError?
  /// Bytes of the reserve, which is given up on a full disk so that jobs can still be cancelled and pruned; 0 without one.
  public var reserve: Int64
  /// It was given up, and there is no room yet to make it again.
  public var isReserveGivenUp: Bool
  /// Bytes that have to be free for that.
  public var needed: Int64 = 0

  public init(missing: LedgerError? = nil, reserve: Int64 = 0, isReserveGivenUp: Bool = false) {
    (self.missing, self.reserve, self.isReserveGivenUp) = (missing, reserve, isReserveGivenUp)
  }
}

/// A ledger in memory has no files, and does not outlive a process.
extension Ledger {
  public func look(at now: Moment) async throws(LedgerError) -> LedgerStanding { LedgerStanding() }

  public func giveUpReserve() async throws(LedgerError) -> Bool { false }

  public func shrink(bytes: Int64) async throws(LedgerError) -> FileStep {
    FileStep(bytes: 0, total: 0)
  }

  public func copy(_ id: UUIDv7) async throws(LedgerError) -> FileStep {
    throw LedgerError("copy ledger: it is in memory only; there is no file to copy")
  }

  public func endCopy() async {}
}
