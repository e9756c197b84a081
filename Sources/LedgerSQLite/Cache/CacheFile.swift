import Pipeline
import SQLite

/// A database of kept answers alone, which several processes may have open at once. It belongs to one thread.
final class CacheFile {
  /// Stands in the file's header: 'HLYC'.
  static let applicationID: Int64 = 0x484C_5943
  /// Each brings the file from the version of its index to the next; what was released is never edited.
  private static let migrations = [CacheSQL.table]
  /// How long others may take with it: only the user waits while it is opened, later the jobs do.
  private static let openingMilliseconds = 5_000
  private static let timeoutMilliseconds = 100

  // In this order, because a connection is closed after its statements.
  private let store: CacheStore
  private let connection: Connection

  private init(_ connection: consuming Connection, most: Int) {
    store = CacheStore(connection, most: most)
    self.connection = connection
  }

  /// Opens or makes it; only its owner can read one that is made.
  static func open(path: String, most: Int) throws(LedgerError) -> CacheFile {
    // Closed again before the database is opened: a second descriptor would take its locks away.
    let file = try LedgerFile.prepare(path, for: .cache, making: ["-journal"])
    let opened: Result<CacheFile, LedgerError>
    do throws(SQLiteError) {
      opened = try take(file, path, most: most)
    } catch {
      throw LedgerError(error, doing: "open", .cache, path)
    }
    return try opened.get()
  }

  private static func take(
    _ file: String, _ path: String, most: Int
  ) throws(SQLiteError) -> Result<CacheFile, LedgerError> {
    let connection = try Connection(path: file)
    guard !connection.isReadOnly else { throw .readOnly }
    try connection.execute("PRAGMA busy_timeout = \(openingMilliseconds); PRAGMA trusted_schema = OFF")
    // No write-ahead log: two connections can damage that of SQLite before 3.51.3, and this file has many. The journal
    // stays where it is, so that no other user can put another one there.
    try connection.execute("PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL")
    try connection.execute("BEGIN IMMEDIATE")
    if let refusal = try LedgerFile.refusal(
      connection, path, for: .cache, id: applicationID, newest: Int64(migrations.count))
    {
      return .failure(refusal)
    }
    let version = try connection.integer("PRAGMA user_version") ?? 0
    for migration in migrations.dropFirst(Int(clamping: version)) { try connection.execute(migration) }
    try connection.execute(
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(migrations.count); COMMIT")
    if let stranger = LedgerFile.check(beside: path, "-journal") { return .failure(stranger) }
    try connection.execute("PRAGMA busy_timeout = \(timeoutMilliseconds)")
    return .success(CacheFile(connection, most: most))
  }

  func find(_ questions: [String], bytes: Int) throws(SQLiteError) -> [CachedAnswer?] {
    try transaction("BEGIN") { () throws(SQLiteError) in try store.find(questions, bytes: bytes) }
  }

  func write(_ answers: [CachedAnswer]) throws(SQLiteError) {
    try transaction("BEGIN IMMEDIATE") { () throws(SQLiteError) in try store.write(answers) }
  }

  private func transaction<Answer>(
    _ begin: String, _ body: () throws(SQLiteError) -> Answer
  ) throws(SQLiteError) -> Answer {
    try connection.execute(begin)
    do {
      let answer = try body()
      try connection.execute("COMMIT")
      return answer
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }
}
