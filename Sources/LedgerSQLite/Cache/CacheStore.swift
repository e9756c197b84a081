import Links
import Pipeline
import SQLite

/// Kept answers in a database. It belongs to one thread, and leaves transactions to its caller.
final class CacheStore {
  let statements: PreparedStatements
  private let most: Int
  private let mostBytes: Int64
  /// Answers that came since the last time some were dropped.
  private var untrimmed: Int

  init(_ connection: borrowing Connection, most: Int, mostBytes: Int64 = CacheRule.mostBytes) {
    statements = PreparedStatements(connection)
    self.most = most
    self.mostBytes = mostBytes
    // An earlier process may have left some.
    untrimmed = most / 100
  }

  func find(_ questions: [String], bytes: Int) throws(SQLiteError) -> [CachedAnswer?] {
    var found: [CachedAnswer?] = []
    var room = bytes
    for question in questions where room > 0 {
      let stored =
        try statements[.cache.find].first(.integer(Int64(bitPattern: question.stableHash()))) {
          CachedAnswer($0)
        }
        ?? nil
      let answer = stored.flatMap { $0.question == question ? $0 : nil }
      found.append(answer)
      room -= answer?.json.count ?? 0
    }
    return found
  }

  func write(_ answers: [CachedAnswer]) throws(SQLiteError) {
    for answer in answers {
      try statements[.cache.insert].run(
        .integer(Int64(bitPattern: answer.question.stableHash())), .text(answer.question),
        .moment(answer.storedAt), .text(answer.failure?.rawValue),
        .integer(answer.isOfFailure ? 1 : 0), .text(answer.validators?.url),
        .text(answer.validators?.entityTag), .text(answer.validators?.lastModified), .blob(answer.json))
    }
    untrimmed += answers.count
    guard let newest = answers.last, untrimmed > most / 100 else { return }
    let oldest = newest.storedAt.advanced(byMilliseconds: -CacheRule.longestMilliseconds)
    try statements[.cache.trimOld].run(.moment(oldest))
    try statements[.cache.trimMany].run(.integer(Int64(most)))
    try trimBytes()
    untrimmed = 0
  }

  /// Drops as large a share of the answers, the oldest first, as their bytes are too many.
  private func trimBytes() throws(SQLiteError) {
    let size = try statements[.cache.size].first { ($0.integer(at: 0) ?? 0, $0.integer(at: 1) ?? 0) }
    guard let (count, bytes) = size, bytes > mostBytes else { return }
    try statements[.cache.trimMany].run(.integer(Int64(Double(count) * Double(mostBytes) / Double(bytes))))
  }
}

extension CachedAnswer {
  /// nil when it is not one of ours: then there is none.
  fileprivate init?(_ row: borrowing Row) {
    guard let question = row.text(at: 0), let storedAt = row.moment(at: 1), let failure = row.failure(at: 2),
      let json = row.blob(at: 7)
    else { return nil }
    self.init(
      question: question, storedAt: storedAt, failure: failure,
      isOfFailure: row.integer(at: 3) != 0,
      validators: row.text(at: 4).flatMap {
        Validators(url: $0, entityTag: row.text(at: 5), lastModified: row.text(at: 6))
      },
      json: json)
  }
}

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
  /// It was locked: it is not tried again before, in microseconds of the monotonic clock.
  var isLeftAloneUntil: Int64 = 0

  private init(_ connection: consuming Connection, most: Int) {
    store = CacheStore(connection, most: most)
    self.connection = connection
  }

  /// Opens or makes it; only its owner can read one that is made.
  static func open(path: String, most: Int) throws(LedgerError) -> CacheFile {
    do {
      return try take(path, most: most)
    } catch {
      throw LedgerError(error, doing: "open", .cache, path)
    }
  }

  private static func take(_ path: String, most: Int) throws -> CacheFile {
    // Closed again before the database is opened: a second descriptor would take its locks away.
    let file = try LedgerFile.prepare(path, for: .cache, making: ["-journal"])
    let connection = try Connection(path: file)
    guard !connection.isReadOnly else { throw SQLiteError.readOnly }
    try connection.execute("PRAGMA busy_timeout = \(openingMilliseconds); PRAGMA trusted_schema = OFF")
    // No write-ahead log: two connections can damage that of SQLite before 3.51.3, and this file has many. The journal
    // stays where it is, so that no other user can put another one there.
    try connection.execute("PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL")
    try connection.execute("BEGIN IMMEDIATE")
    try LedgerFile.checkHeader(of: connection, path, for: .cache, id: applicationID, newest: version)
    if try connection.integer("PRAGMA user_version") == 0 { try connection.execute(CacheSQL.table) }
    try connection.execute(
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version); COMMIT")
    try LedgerFile.check(beside: path, "-journal")
    try connection.execute("PRAGMA busy_timeout = \(timeoutMilliseconds)")
    return CacheFile(connection, most: most)
  }

  func transaction<Answer>(
    _ begin: SQL, _ body: (CacheStore) throws(SQLiteError) -> Answer
  ) throws(SQLiteError) -> Answer {
    try store.statements.transaction(begin, on: connection) { () throws(SQLiteError) in try body(store) }
  }
}

/// The table of stored answers, in a ledger's file or in one of its own.
struct CacheSQL {
  /// - `serial` grows with every answer, so the oldest come first.
  /// - `hash` is that of the question: it makes a small index. Of two questions with the same one the later stays.
  static let table = """
    CREATE TABLE answer (
      serial INTEGER PRIMARY KEY,
      hash INTEGER NOT NULL UNIQUE,
      question TEXT NOT NULL,
      stored_at INTEGER NOT NULL,
      failure TEXT,
      is_of_failure INTEGER NOT NULL,
      url TEXT,
      entity_tag TEXT,
      last_modified TEXT,
      json BLOB NOT NULL
    ) STRICT;
    """
  let find = SQL(
    """
    SELECT question, stored_at, failure, is_of_failure, url, entity_tag, last_modified, json
    FROM answer WHERE hash = ?1
    """)
  let insert = SQL(
    """
    INSERT OR REPLACE INTO answer
      (hash, question, stored_at, failure, is_of_failure, url, entity_tag, last_modified, json)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """)
  let trimOld = SQL(
    """
    DELETE FROM answer WHERE serial < coalesce(
      (SELECT serial FROM answer WHERE stored_at >= ?1 ORDER BY serial LIMIT 1),
      (SELECT max(serial) + 1 FROM answer))
    """)
  let trimMany = SQL(
    """
    DELETE FROM answer WHERE serial IN
      (SELECT serial FROM answer ORDER BY serial LIMIT max(0, (SELECT count(*) FROM answer) - ?1))
    """)
  let size = SQL("SELECT count(*), coalesce(sum(length(json)), 0) FROM answer")
}
