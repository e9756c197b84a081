import Pipeline
import Posix
import SQLite

/// The ledger's tables. It belongs to one thread.
final class LedgerStore {
  // In this order, because a connection is closed after its statements.
  let statements: PreparedStatements
  let cache: CacheStore
  /// nil when none is being made.
  var copy: LedgerCopy?
  /// Copies that are whole, and when they were, in microseconds since the start of the machine.
  var finishedCopies: [String: Int64] = [:]
  let connection: Connection
  /// What was committed last: read once, and kept up to date by every commit. A question about it need not wait for the
  /// commit that is under way.
  private(set) var summary: LedgerSummary
  /// Batches of the summary, which are more than any status shows.
  static let mostNewest = 64
  /// Rows that were committed since they were asked for, by batch; nil when some were deleted.
  private var newRows: [BatchID: [NumberedRow]]? = [:]
  private var wasFull = false
  /// Cancelled or closed batches without jobs since such were forgotten last.
  private var jobless = 0
  /// Answers to keep with the next commit.
  var unwritten: [CachedAnswer] = []
  let files: LedgerFiles
  var reserve: LedgerReserve
  var owner: StoredOwner

  /// - Parameter mostAnswers: Answers that are kept.
  init(_ connection: consuming Connection, at path: String, mostAnswers: Int) throws(SQLiteError) {
    files = LedgerFiles(at: path)
    reserve = LedgerReserve(beside: path, total: totalBytes(at: path))
    statements = PreparedStatements(connection)
    owner = try StoredOwner(statements)
    summary = try statements.summary(batches: Self.mostNewest, of: try statements.countedJobs())
    cache = CacheStore(connection, most: mostAnswers)
    self.connection = connection
  }

  /// All of `body` or nothing of it, on the disk when this returns.
  func transaction<Answer>(_ body: () throws(SQLiteError) -> Answer) throws(SQLiteError) -> Answer {
    try statements.transaction(on: connection, body)
  }

  func commit(_ changes: Changes, at now: Moment) throws(SQLiteError) -> ChangesMade {
    guard !changes.isEmpty else { return ChangesMade() }
    if wasFull { shrinkLog() }
    do {
      let commit = Commit(store: self, now: now)
      let (made, summary) = try transaction { () throws(SQLiteError) in
        let made = try commit.apply(changes)
        try cache.write(unwritten)
        guard jobless + commit.jobless >= Changes.emptyBatchesKept else {
          return (made, self.summary.changed(commit.changed, commit.counts, atMost: Self.mostNewest))
        }
        try statements[.upkeep.deleteJobless].run(.integer(Int64(Changes.emptyBatchesKept)))
        return (made, try statements.summary(batches: Self.mostNewest, of: commit.counts))
      }
      (self.summary, owner.lastToken, newRows) = (summary, commit.lastToken, commit.rows)
      jobless = (jobless + commit.jobless) % Changes.emptyBatchesKept
      unwritten = []
      return made
    } catch {
      wasFull = error.cause == .full
      throw error
    }
  }

  /// Something was deleted.
  func forgot(_ summary: LedgerSummary) { (self.summary, newRows) = (summary, nil) }

  func takeNewRows() -> [BatchID: [NumberedRow]]? { exchange(&newRows, with: [:]) }

  /// The log holds most pages many times over; where room is short, that matters. It stays as it is when there is
  /// not even room for this.
  private func shrinkLog() {
    wasFull = false
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// - Parameter moment: Nil keeps the time of the last change.
  func write(_ batch: LedgerBatch, changedAt moment: Moment?) throws(SQLiteError) {
    try statements[.batches.update].run(batch.values(changedAt: moment))
  }
}

/// The rows that were committed last, so that a reader who is close behind need not wait for the file. A pure value.
struct RecentRows: Sendable {
  /// When there is more, all is dropped: a reader who misses it reads the file once, and is close behind again.
  static let mostBytes = 4 << 20

  /// Of each batch the last rows without a gap, up to its newest.
  private var rows: [BatchID: [NumberedRow]] = [:]
  private var bytes = 0

  /// - Parameter committed: By batch in the order of their numbers; nil when rows were deleted.
  mutating func take(_ committed: [BatchID: [NumberedRow]]?) {
    guard let committed else {
      self = RecentRows()
      return
    }
    for (batch, new) in committed {
      bytes += new.reduce(0) { $0 + $1.json.count }
      rows[batch, default: []] += new
    }
    if bytes > Self.mostBytes { self = RecentRows() }
  }

  /// What the file would answer; nil when only that knows.
  func rows(of batch: BatchID, after number: UInt64, limit: Int, bytes: Int) -> [NumberedRow]? {
    guard let known = rows[batch], let first = known.first?.number, number >= first - 1 else { return nil }
    var (page, room) = ([NumberedRow](), bytes)
    for row in known.dropFirst(Int(clamping: number - (first - 1))).prefix(max(0, limit)) where room > 0 {
      page.append(row)
      room -= row.json.count
    }
    return page
  }
}
