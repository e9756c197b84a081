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
  /// How many jobs are in which state: counted once, and kept up to date by every commit.
  private(set) var counts: JobCounts
  /// nil when they cannot be read.
  private var newest: NewestBatches?
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
    counts = try statements.countedJobs()
    cache = CacheStore(connection, most: mostAnswers)
    self.connection = connection
    readNewest()
  }

  /// What was committed last.
  var committed: LedgerSummary? {
    newest.map { $0.summary(counts) }
  }

  private func readNewest() {
    newest = try? newestBatches()
  }

  /// All of `body` or nothing of it, on the disk when this returns.
  func transaction<Answer>(_ body: () throws(SQLiteError) -> Answer) throws(SQLiteError) -> Answer {
    try statements[.transaction.begin].run()
    do {
      let answer = try body()
      try statements[.transaction.commit].run()
      return answer
    } catch {
      // Some errors roll back by themselves.
      if connection.isInTransaction { _ = try? statements[.transaction.rollback].run() }
      throw error
    }
  }

  func commit(_ changes: Changes, at now: Moment) throws(SQLiteError) -> ChangesMade {
    guard !changes.isEmpty else { return ChangesMade() }
    if wasFull { shrinkLog() }
    do {
      let commit = Commit(store: self, now: now)
      let made = try transaction { () throws(SQLiteError) in
        let made = try commit.apply(changes)
        if jobless + commit.jobless >= Changes.emptyBatchesKept { try forgetJobless() }
        try cache.write(unwritten)
        return made
      }
      counts += commit.moved
      owner.lastToken = commit.lastToken
      for changed in commit.changes { newest?.changed(changed.row, id: changed.id) }
      jobless += commit.jobless
      if jobless >= Changes.emptyBatchesKept {
        jobless = 0
        readNewest()
      }
      unwritten = []
      return made
    } catch {
      wasFull = error.cause == .full
      throw error
    }
  }

  private func forgetJobless() throws(SQLiteError) {
    try statements[.forgetting.joblessBatches].run(.integer(Int64(Changes.emptyBatchesKept)))
  }

  func forgot(dead: Int) {
    counts.dead -= dead
    readNewest()
  }

  /// The log holds most pages many times over; where room is short, that matters. It stays as it is when there is
  /// not even room for this.
  private func shrinkLog() {
    wasFull = false
    try? connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// - Parameter moment: Nil keeps the time of the last change.
  func write(_ batch: BatchRow, changedAt moment: Moment?) throws(SQLiteError) {
    let (counters, progress) = (batch.counters, batch.counters.progress)
    try statements[.batches.update].run(
      .integer(batch.serial), .integer(progress.total.map { Int64(bitPattern: $0) }),
      .integer(Int64(clamping: progress.rows)), .integer(Int64(clamping: counters.confirmed)),
      .integer(Int64(clamping: counters.submitted)), .integer(Int64(clamping: progress.settled)),
      .integer(Int64(clamping: progress.failed)), .integer(moment?.unixMilliseconds),
      .integer(Int64(clamping: progress.cancelled)), .integer(progress.isAbandoned ? 1 : 0),
      .integer(counters.submittedAt.unixMilliseconds),
      .integer(counters.cancellation.map { $0.everything ? 1 : 0 }),
      counters.cancellation.map { .text($0.cause) } ?? .null, .integer(batch.kinds))
  }
}
