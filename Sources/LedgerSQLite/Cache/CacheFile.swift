import Pipeline
import SQLite

/// A database of kept answers alone, which several processes may have open at once. It belongs to one thread.
final class CacheFile {
  /// Stands in the file's header: 'HLYC'.
  static let applicationID: Int64 = 0x484C_5943
  private static let version: Int64 = 1
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
      connection, path, for: .cache, id: applicationID, newest: version)
    {
      return .failure(refusal)
    }
    if try connection.integer("PRAGMA user_version") == 0 { try connection.execute(CacheSQL.table) }
    try connection.execute(
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version); COMMIT")
    if let stranger = LedgerFile.check(beside: path, "-journal") { return .failure(stranger) }
    try connection.execute("PRAGMA busy_timeout = \(timeoutMilliseconds)")
    return .success(CacheFile(connection, most: most))
  }

  func transaction<Answer>(
    _ begin: SQL, _ body: (CacheStore) throws(SQLiteError) -> Answer
  ) throws(SQLiteError) -> Answer {
    try store.statements.transaction(begin, on: connection) { () throws(SQLiteError) in try body(store) }
  }
}
