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
    try await write(under: changes.term) { (store) throws(SQLiteError) in try store.commit(changes, at: now) }
  }

  package func page(_ query: JobQuery) async throws(LedgerError) -> JobPage {
    try await use("read") { (store) throws(SQLiteError) in try store.page(query) }
  }

  package func readyJobs(_ wish: ReadyWish) async throws(LedgerError) -> ReadyPage {
    try await use("read") { (store) throws(SQLiteError) in try store.readyJobs(wish) }
  }

  package func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) async throws(LedgerError) -> [NumberedRow] {
    let known = committed.withLock { $0?.rows.rows(of: batch, after: number, limit: limit, bytes: bytes) }
    if let known { return known }
    return try await use("read") { (store) throws(SQLiteError) in
      try store.rows(of: batch, after: number, limit: limit, bytes: bytes)
    }
  }

  package func progress(of batch: BatchID) async throws(LedgerError) -> BatchProgress? {
    if let known = committed.withLock({ $0?.summary.batches.first { $0.id == batch } }) {
      return known.progress
    }
    return try await use("read") { (store) throws(SQLiteError) in try store.progress(of: batch) }
  }

  package func summary(batches limit: Int) async throws(LedgerError) -> LedgerSummary {
    if limit <= LedgerStore.mostNewest, let known = committed.withLock({ $0?.summary }) {
      return known.first(limit)
    }
    return try await use("read") { (store) throws(SQLiteError) in try store.summary(batches: limit) }
  }

  package func shares() async throws(LedgerError) -> KnownShares {
    try await use("read") { (store) throws(SQLiteError) in try store.shares() }
  }

  package func batches(_ query: BatchQuery) async throws(LedgerError) -> BatchPage {
    try await use("read") { (store) throws(SQLiteError) in try store.batches(query) }
  }

  package func story(of job: JobID) async throws(LedgerError) -> JobStory? {
    try await use("read") { (store) throws(SQLiteError) in try store.story(of: job) }
  }

  package func jobs(_ search: JobSearch) async throws(LedgerError) -> FoundJobs {
    try await use("read") { (store) throws(SQLiteError) in try store.jobs(search) }
  }

  package func oldestJobs() async throws(LedgerError) -> [JobPhase: Moment] {
    try await use("read") { (store) throws(SQLiteError) in try store.oldestJobs() }
  }

  func write<Answer: Sendable>(
    under term: LedgerTerm? = nil, _ body: @escaping @Sendable (LedgerStore) throws(SQLiteError) -> Answer
  ) async throws(LedgerError) -> Answer {
    try await use("write", under: term) { [committed] (store) throws(SQLiteError) in
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
    _ body: @escaping @Sendable (LedgerStore) throws(SQLiteError) -> Answer
  ) async throws(LedgerError) -> Answer {
    try await worker.finish { [store, path] () throws(LedgerError) in
      try store.withLock { (store) throws(LedgerError) in
        guard let store else { throw LedgerError("\(verb) ledger \(path): it was closed") }
        if let term { try store.owner.ownership.check(term, "\(verb) ledger \(path)") }
        do throws(SQLiteError) {
          return try body(store)
        } catch {
          throw LedgerError(error, doing: verb, .ledger, path)
        }
      }
    }
  }
}
