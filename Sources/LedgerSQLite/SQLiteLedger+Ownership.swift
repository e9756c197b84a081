package import Pipeline
import SQLite

/// Whose the ledger is. Between processes the lock of its file decides; here old terms of this process are refused.
extension SQLiteLedger {
  package func owner() async throws(LedgerError) -> LedgerOwner {
    try await use("read") { (store) throws(SQLiteError) in store.owner.ownership }
  }

  package func takeOver(
    as holder: UUIDv7, at now: Moment, longestPause: Int64
  ) async throws(LedgerError) -> Inheritance {
    try await write { (store) throws(SQLiteError) in
      try store.takeOver(as: holder, at: now, longestPause: longestPause)
    }
  }

  package func renew(_ term: LedgerTerm, at now: Moment) async throws(LedgerError) {
    try await use("renew", under: term) { (store) throws(SQLiteError) in
      store.owner.ownership.renew(at: now)
      // Not to be noted on a full disk, it is noted later.
      if store.owner.isDue(at: now) { try? store.writeOwner() }
    }
  }

  package func resign(_ term: LedgerTerm) async throws(LedgerError) {
    try await use("resign", under: term) { (store) throws(SQLiteError) in
      store.owner.ownership.resign()
      try store.writeOwner()
    }
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
