package import Pipeline
import Posix
import SQLite

/// How the ledger and its files come through time.
extension SQLiteLedger {
  package func begin(at now: Moment, longestPause: Int64) async throws(LedgerError) -> LedgerBeginning {
    try await write { (store) throws(SQLiteError) in try store.begin(at: now, longestPause: longestPause) }
  }

  package func look(at now: Moment) async throws(LedgerError) -> LedgerStanding {
    try await use("read") { [path] (store) throws(SQLiteError) in
      store.reserve.make()
      // Not to be noted on a full disk, it is noted later.
      try? store.note(now)
      let reserve = store.reserve
      return LedgerStanding(
        missing: store.files.fault(of: path), reserve: reserve.bytes, isReserveGivenUp: reserve.isGivenUp)
    }
  }

  package func giveUpReserve() async throws(LedgerError) -> Bool {
    try await use("write") { (store) throws(SQLiteError) in store.reserve.giveUp() }
  }
}

/// The files that a ledger has open, to be found again at their paths.
struct LedgerFiles {
  private let found: [(path: String, identity: FileIdentity?)]

  init(at path: String) {
    found = ["", "-wal"].map { suffix in
      let file = resolvedPath(absolutePath(path)) + suffix
      return (file, FileIdentity(at: file))
    }
  }

  /// nil while they are where they were.
  func fault(of ledger: String) -> LedgerError? {
    guard let lost = found.first(where: { FileIdentity(at: $0.path) != $0.identity }) else { return nil }
    let what = fileExists(lost.path) ? "replaced" : "removed"
    return LedgerError(
      "ledger \(lost.path == ledger ? "" : "\(ledger): ")\(lost.path) was \(what) while the fleet uses it; what is open"
        + " would be lost with the aggregator: save it with 'halyard ledger backup FILE', stop the fleet, move away what is"
        + " left of the old one, which is the ledger's file, its -wal and its -shm, and put FILE in the ledger's place",
      kind: .removed)
  }
}

extension LedgerStore {
  func begin(at now: Moment, longestPause: Int64) throws(SQLiteError) -> LedgerBeginning {
    let seen = (try statements[.clock.seen].first { $0.integer(at: 0) } ?? nil).map {
      Moment(unixMilliseconds: $0)
    }
    let gap = seen.flatMap { ClockGap(since: $0, at: now) }
    var shortened = 0
    do {
      shortened = try note(gap, at: now, longestPause: longestPause)
    } catch {
      // The aggregator starts on a full disk too: it is needed to make room.
      guard error.cause == .full else { throw error }
    }
    var gaps = try statements[.clock.gaps].all {
      ClockGap(
        began: Moment(unixMilliseconds: $0.integer(at: 0) ?? 0),
        ended: Moment(unixMilliseconds: $0.integer(at: 1) ?? 0))
    }
    if let gap, !gaps.contains(gap) { gaps.append(gap) }
    return LedgerBeginning(
      retention: Retention(gaps), gap: gap, shortenedPauses: shortened, hasFiles: true)
  }

  /// - Returns: How many retries were put off for too long.
  private func note(_ gap: ClockGap?, at now: Moment, longestPause: Int64) throws(SQLiteError) -> Int {
    try transaction { () throws(SQLiteError) in
      // A gap that ended later than now was no time: the clock had jumped, and went back.
      try statements[.clock.dropGaps].run(.integer(now.unixMilliseconds), .integer(Int64(Self.mostGaps)))
      if let gap {
        try statements[.clock.addGap].run(
          .integer(gap.began.unixMilliseconds), .integer(gap.ended.unixMilliseconds))
      }
      // Nothing can have been seen or paused later than now.
      for past in [SQL.clock.dropFutureWorkers, SQL.clock.boundBatchPauses, SQL.clock.boundPauses] {
        try statements[past].run(.integer(now.unixMilliseconds))
      }
      let latest = now.advanced(byMilliseconds: longestPause)
      let shortened = try statements[.clock.boundRetries].run(.integer(latest.unixMilliseconds))
      try note(now, isForced: true)
      return shortened
    }
  }

  /// Older ones hardly matter: rows of that time were kept as long as one can wish.
  private static let mostGaps = 1_000

  /// The ledger is in use now.
  func note(_ now: Moment, isForced: Bool = false) throws(SQLiteError) {
    let passed = noted.map { now.milliseconds(since: $0) } ?? .max
    guard isForced || passed >= ClockGap.notedMilliseconds else { return }
    try statements[.clock.note].run(.integer(now.unixMilliseconds))
    noted = now
  }
}
