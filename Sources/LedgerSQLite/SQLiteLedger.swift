package import Pipeline
import Posix
import SQLite

/// The ledger in a file of its own, which it holds for this process alone until it is closed.
///
/// All of its work is done one after another on one thread. A commit is on the disk when it returns.
package final class SQLiteLedger: Ledger {
  /// The file's path as the user gave it.
  package let path: String
  private let worker: BlockingWorker
  /// nil once closed. Only the worker's thread takes the lock, so there is never a wait for it.
  private let store: Lock<LedgerStore?>
  /// What was committed last: a reader does not wait for the thread, which can be at the next commit for long.
  private struct Committed: Sendable {
    var summary: LedgerSummary
    var rows = RecentRows()
  }

  /// nil when that is not known, or the ledger is closed.
  private let committed: Lock<Committed?>

  /// Opens or makes the file. A file that another process has open is refused at once.
  package static func open(path: String) async throws(LedgerError) -> SQLiteLedger {
    try await open(path: path, access: .readWrite)
  }

  static func open(
    path: String, access: Connection.Access = .readWrite, mostAnswers: Int = CacheRule.mostAnswers
  ) async throws(LedgerError) -> SQLiteLedger {
    let worker = try BlockingWorker.opening(.ledger, path)
    let store = try await worker.finish { () throws(LedgerError) in
      Lock<LedgerStore?>(try LedgerFile.open(path: path, access: access, mostAnswers: mostAnswers))
    }
    return SQLiteLedger(path: path, worker: worker, store: store)
  }

  private init(path: String, worker: BlockingWorker, store: Lock<LedgerStore?>) {
    self.path = path
    self.worker = worker
    self.store = store
    committed = Lock(store.withLock { $0.map { Committed(summary: $0.summary) } })
  }

  /// Lets the file go; whatever is asked afterwards fails.
  package func close() async {
    _ = try? await worker.finish { [store, committed, path] in
      committed.withLock { $0 = nil }
      store.withLock { store in
        // Of a process that wanted it meanwhile, and was refused.
        if store != nil { SafeFile.remove(beside: path, suffix: "-journal") }
        store = nil
      }
    }
  }

  package func commit(
    _ changes: Changes, at now: Moment
  ) async throws(LedgerError) -> ChangesMade {
    try await write(under: changes.term) { try $0.commit(changes, at: now) }
  }

  package func page(_ query: JobQuery) async throws(LedgerError) -> JobPage {
    try await use("read") { try $0.page(query) }
  }

  package func readyJobs(_ wish: ReadyWish) async throws(LedgerError) -> ReadyPage {
    try await use("read") { try $0.readyJobs(wish) }
  }

  package func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) async throws(LedgerError) -> [NumberedRow] {
    let known = committed.withLock { $0?.rows.rows(of: batch, after: number, limit: limit, bytes: bytes) }
    if let known { return known }
    return try await use("read") { try $0.rows(of: batch, after: number, limit: limit, bytes: bytes) }
  }

  package func progress(of batch: BatchID) async throws(LedgerError) -> BatchProgress? {
    if let known = committed.withLock({ $0?.summary.batches.first { $0.id == batch } }) {
      return known.progress
    }
    return try await use("read") { try $0.batch(batch)?.progress }
  }

  package func summary(batches limit: Int) async throws(LedgerError) -> LedgerSummary {
    if limit <= LedgerStore.mostNewest, let known = committed.withLock({ $0?.summary }) {
      return known.first(limit)
    }
    return try await use("read") { try $0.statements.summary(batches: limit, of: $0.summary.jobs) }
  }

  package func shares() async throws(LedgerError) -> KnownShares {
    try await use("read") { try $0.shares() }
  }

  package func batches(_ query: BatchQuery) async throws(LedgerError) -> BatchPage {
    try await use("read") { try $0.batches(query) }
  }

  package func story(of job: JobID) async throws(LedgerError) -> JobStory? {
    try await use("read") { try $0.story(of: job) }
  }

  package func jobs(_ search: JobSearch) async throws(LedgerError) -> FoundJobs {
    try await use("read") { try $0.jobs(search) }
  }

  package func oldestJobs() async throws(LedgerError) -> [JobPhase: Moment] {
    try await use("read") { try $0.oldestJobs() }
  }

  func write<Answer: Sendable>(
    under term: LedgerTerm? = nil, _ body: @escaping @Sendable (LedgerStore) throws -> Answer
  ) async throws(LedgerError) -> Answer {
    try await use("write", under: term) { [committed] store in
      let answer = try body(store)
      let (summary, rows) = (store.summary, store.takeNewRows())
      committed.withLock { known in
        known?.summary = summary
        known?.rows.take(rows)
      }
      return answer
    }
  }

  /// - Parameter term: Whose work it is; nil for anybody's.
  func use<Answer: Sendable>(
    _ verb: String, under term: LedgerTerm? = nil,
    _ body: @escaping @Sendable (LedgerStore) throws -> Answer
  ) async throws(LedgerError) -> Answer {
    try await worker.finish { [store, path] () throws(LedgerError) in
      try store.withLock { (store) throws(LedgerError) in
        guard let store else { throw LedgerError("\(verb) ledger \(path): it was closed") }
        if let term { try store.owner.ownership.check(term, "\(verb) ledger \(path)") }
        do {
          return try body(store)
        } catch {
          throw LedgerError(error, doing: verb, .ledger, path)
        }
      }
    }
  }
}

/// Whose the ledger is. Between processes the lock of its file decides; here old terms of this process are refused.
extension SQLiteLedger {
  package func owner() async throws(LedgerError) -> LedgerOwner {
    try await use("read") { $0.owner.ownership }
  }

  package func takeOver(
    as holder: UUIDv7, at now: Moment, longestPause: Int64
  ) async throws(LedgerError) -> Inheritance {
    try await write { try $0.takeOver(as: holder, at: now, longestPause: longestPause) }
  }

  package func renew(_ term: LedgerTerm, at now: Moment) async throws(LedgerError) {
    try await use("renew", under: term) { store in
      store.owner.ownership.renew(at: now)
      // Not to be noted on a full disk, it is noted later.
      if store.owner.isDue(at: now) { try? store.writeOwner() }
    }
  }

  package func resign(_ term: LedgerTerm) async throws(LedgerError) {
    try await use("resign", under: term) { store in
      store.owner.ownership.resign()
      try store.writeOwner()
    }
  }
}

extension HostWait {
  fileprivate init?(stored row: borrowing Row) {
    guard let until = row.moment(at: 1), let kind = row.failure(at: 2) else { return nil }
    let (failures, isAskedToWait) = (Int(row.integer(at: 3) ?? 0), row.integer(at: 4) == 1)
    let verdict = kind.map {
      HostVerdict(kind: $0, failures: failures, until: until, isAskedToWait: isAskedToWait)
    }
    self = verdict.map { .givenUp($0) } ?? .asked(until: until)
  }
}

/// The one row of the table of the owner, in memory: the file is this process's alone.
struct StoredOwner {
  var ownership: LedgerOwner
  var lastToken: LeaseToken
  let leaseKey: LeaseKey
  /// When it was renewed by the file.
  var noted: Moment?

  init(_ statements: PreparedStatements) throws(SQLiteError) {
    let row = try statements[.owner.read].first { row -> StoredOwner? in StoredOwner(row) }
    guard let row, let row else { throw .damaged("the owner of the ledger cannot be read") }
    self = row
  }

  private init?(_ row: borrowing Row) {
    guard let epoch = row.integer(at: 0), let holder = UUIDv7(stored: row.blob(at: 1)),
      let token = row.integer(at: 3), let key = UUIDv7(stored: row.blob(at: 4))
    else { return nil }
    noted = row.moment(at: 2)
    ownership = LedgerOwner(
      LedgerTerm(epoch: UInt64(bitPattern: epoch), holder: holder), renewedAt: noted)
    (lastToken, leaseKey) = (LeaseToken(stored: token), LeaseKey(high: key.high, low: key.low))
  }

  func isDue(at now: Moment) -> Bool {
    noted.map { now.milliseconds(since: $0) >= ClockGap.notedMilliseconds } ?? true
  }
}

extension LedgerStore {
  func takeOver(
    as holder: UUIDv7, at now: Moment, longestPause: Int64
  ) throws(SQLiteError) -> Inheritance {
    let before = owner.ownership
    let gap = before.renewedAt.flatMap { ClockGap(since: $0, at: now) }
    owner.ownership.takeOver(as: holder, at: now)
    var shortened = 0
    do {
      shortened = try begin(gap, at: now, longestPause: longestPause)
    } catch {
      // The aggregator starts on a full disk too: it is needed to make room.
      guard error.cause == .full else {
        owner.ownership = before
        throw error
      }
    }
    var gaps = try statements[.owner.gaps].all { row -> ClockGap? in
      guard let began = row.moment(at: 0), let ended = row.moment(at: 1) else { return nil }
      return ClockGap(began: began, ended: ended)
    }.compactMap(\.self)
    if let gap, !gaps.contains(gap) { gaps.append(gap) }
    var left = Inheritance(
      owner.ownership.term, lastToken: owner.lastToken, leaseKey: owner.leaseKey, lastSeen: try lastSeen())
    (left.retention, left.gap, left.shortenedPauses) = (Retention(gaps), gap, shortened)
    let waits = try statements[.owner.waits].all { ($0.text(at: 0), HostWait(stored: $0)) }
    for case (let host?, let wait?) in waits { left.waits[host] = wait.left(at: now) }
    return left
  }

  private func lastSeen() throws(SQLiteError) -> [WorkerID: Moment] {
    let rows = try statements[.owner.lastSeen].all { (UUIDv7(stored: $0.blob(at: 0)), $0.moment(at: 1)) }
    var seen: [WorkerID: Moment] = [:]
    for case (let id?, let moment?) in rows { seen[WorkerID(id)] = moment }
    return seen
  }

  /// Older ones hardly matter: rows of that time were kept as long as one can wish.
  private static let mostGaps = 1_000

  /// - Returns: How many retries were put off for too long.
  private func begin(_ gap: ClockGap?, at now: Moment, longestPause: Int64) throws(SQLiteError) -> Int {
    try transaction { () throws(SQLiteError) in
      // A gap that ended later than now was no time: the clock had jumped, and went back.
      try statements[.owner.dropGaps].run(.moment(now), .integer(Int64(Self.mostGaps)))
      if let gap { try statements[.owner.addGap].run(.moment(gap.began), .moment(gap.ended)) }
      // Nothing can have been seen or paused later than now.
      for past in [SQL.owner.dropFutureWorkers, SQL.owner.boundBatchPauses, SQL.owner.boundPauses] {
        try statements[past].run(.moment(now))
      }
      let latest = now.advanced(byMilliseconds: longestPause)
      try statements[.owner.dropWaits].run(.moment(now))
      try statements[.owner.boundWaits].run(
        .moment(now.advanced(byMilliseconds: HostWait.longestMilliseconds)))
      let shortened = try statements[.owner.boundRetries].run(.moment(latest))
      try writeOwner()
      return shortened
    }
  }

  func writeOwner() throws(SQLiteError) {
    let owner = self.owner.ownership
    try statements[.owner.write].run(
      .integer(Int64(bitPattern: owner.term.epoch)), owner.term.holder.stored,
      .moment(owner.renewedAt))
    self.owner.noted = owner.renewedAt
  }
}

/// Runs that may be interrupted and started again under the same name.
extension SQLiteLedger {
  /// The batch of a run: the one it had before, else `new` from now on.
  ///
  /// Jobs that an earlier attempt at the run left open get `deadline`; the time between does not count against them.
  package func batch(
    ofRun name: String, orNew new: BatchID, deadline: Moment?
  ) async throws(LedgerError) -> BatchID {
    try await use("write") { store in
      try store.transaction { () throws(SQLiteError) in
        try store.statements[.upkeep.insertRun].run(.text(name), new.uuid.stored)
        guard
          let bytes = try store.statements[.upkeep.runByName].first(.text(name), read: { $0.blob(at: 0) }),
          let batch = UUIDv7(stored: bytes).map(BatchID.init)
        else { throw .damaged("the batch of a run cannot be read") }
        try store.statements[.upkeep.setDeadlines].run(
          JobID(batch: batch, ordinal: 0).uuid.stored, JobID(batch: batch, ordinal: .max).uuid.stored,
          .moment(deadline), batch.uuid.stored)
        return batch
      }
    }
  }

  /// Jobs of a batch, over or not, as they were submitted, from an ordinal on and in its order.
  package func jobs(of batch: BatchID, from ordinal: UInt64, limit: Int) async throws(LedgerError) -> [Job] {
    try await use("read") { store in
      let (first, last) = (JobID(batch: batch, ordinal: ordinal), JobID(batch: batch, ordinal: .max))
      let limit = Value.integer(Int64(max(0, limit)))
      return try store.jobs(by: SQL.jobs.inRange, [first.uuid.stored, last.uuid.stored, limit]).map(\.job)
    }
  }
}

extension BlockingWorker {
  /// The one that does all work on a file.
  static func opening(
    _ subject: LedgerError.Subject, _ path: String
  ) throws(LedgerError) -> BlockingWorker {
    do {
      return try BlockingWorker(name: subject.rawValue)
    } catch {
      throw LedgerError("open \(subject.rawValue) \(path): \(error.message)")
    }
  }

  /// Waits for the end even when the calling task is cancelled: how a commit ended must be known.
  func finish<Answer: Sendable>(
    _ body: @escaping @Sendable () throws(LedgerError) -> Answer
  ) async throws(LedgerError) -> Answer {
    do {
      return try await Task { try await run(body) }.value
    } catch {
      throw error as? LedgerError ?? LedgerError("use ledger: \(error)")
    }
  }
}
