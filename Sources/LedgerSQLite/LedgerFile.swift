import Pipeline
import Posix
import SQLite

/// Opens a ledger's file: takes it for this process alone, and makes its tables if need be.
enum LedgerFile {
  /// Pages of 4 KiB that may wait in the log before they go to their places. On a full disk the reserve is to hold them and
  /// more: then the log can be emptied into what the reserve leaves.
  private static func checkpointPages(at path: String) -> Int64 {
    min(4_000, max(64, LedgerReserve.size(total: totalBytes(at: path)) / 2 / 4_096))
  }

  static func open(
    path: String, access: Connection.Access, mostAnswers: Int = CacheRule.mostAnswers
  ) throws(LedgerError) -> LedgerStore {
    do {
      do {
        return try take(path, access, mostAnswers: mostAnswers)
      } catch is LedgerError {
        // In the first attempt SQLite deletes the log of a ledger that was removed, and then has none.
        return try take(path, access, mostAnswers: mostAnswers)
      }
    } catch {
      throw LedgerError(error, doing: "open", .ledger, path)
    }
  }

  /// Links carry passwords: only their owner can read files that are made, and SQLite gives those beside them the same
  /// mode. One that another user put there would be read as if it were ours, a log even into our database.
  ///
  /// - Parameter made: Those beside it that SQLite takes as it finds them.
  /// - Returns: Its path without links, from the root: names such as `:memory:` mean something else to SQLite.
  static func prepare(
    _ path: String, for subject: LedgerError.Subject, making made: [String]
  ) throws(LedgerError) -> String {
    do throws(DistrustedPath) {
      return try SafeFile.prepare(path: path, suffixes: ["-wal", "-shm", "-journal"], making: made)
    } catch {
      // What cannot be made SQLite cannot open, and says why.
      if case .failed = error.reason { return absolutePath(path) }
      throw LedgerError("open \(subject.rawValue) \(path): \(error.message)")
    }
  }

  /// Beside an empty database SQLite makes its files anew, and opens what another process made in between.
  static func check(beside path: String, _ suffix: String) throws(LedgerError) {
    do throws(DistrustedPath) {
      try SafeFile.check(beside: path, suffix: suffix)
    } catch {
      throw LedgerError("open \(path): \(error.message)")
    }
  }

  private static func take(
    _ path: String, _ access: Connection.Access, mostAnswers: Int
  ) throws -> LedgerStore {
    let file = try prepare(path, for: .ledger, making: ["-wal", "-journal"])
    // Not after the log is read, which cannot be unread.
    let mark = (try? Connection(path: file, access: .withoutLog).mark()) ?? nil
    let connection = try Connection(path: file, access: access)
    guard !connection.isReadOnly else { throw SQLiteError.readOnly }
    connection.emptiesLog(onClose: false)
    try configure(connection, checkpointPages: checkpointPages(at: path))
    if let mark, try mark != connection.mark() { throw strangeLog(of: path) }
    connection.emptiesLog(onClose: true)
    try check(beside: path, "-wal")
    // It is locked and has a log: no journal is written any more.
    SafeFile.remove(beside: path, suffix: "-journal")
    LedgerCopy.removeAll(beside: path)
    try checkHeader(of: connection, path, for: .ledger, id: Schema.applicationID, newest: Schema.version)
    try makeTables(connection)
    return try LedgerStore(connection, at: path, mostAnswers: mostAnswers)
  }

  /// The lock is taken by the first access, which is the change of the journal, and kept until the connection is
  /// closed; the kernel frees it when the process dies. Exclusive before the log exists means no shared memory.
  private static func configure(
    _ connection: borrowing Connection, checkpointPages: Int64
  ) throws(SQLiteError) {
    try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    // Of a file without tables only: then free room can be given back to the disk at any time. Where it is so, saying it
    // again would write, for which a full disk has no room.
    let isIncremental = try connection.integer("PRAGMA auto_vacuum") == 2
    if !isIncremental { try connection.execute("PRAGMA auto_vacuum = INCREMENTAL") }
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = \(checkpointPages); PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = \(checkpointPages * 4_096);
      PRAGMA cache_size = -32768; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      """)
  }

  /// Throws when the file is none of ours, or one that we may not use.
  ///
  /// - Parameters:
  ///   - id: Stands in the header of ours.
  ///   - newest: The version that this program makes.
  static func checkHeader(
    of connection: borrowing Connection, _ path: String, for subject: LedgerError.Subject, id: Int64,
    newest: Int64
  ) throws {
    let version = try connection.integer("PRAGMA user_version") ?? 0
    let application = try connection.integer("PRAGMA application_id") ?? 0
    let isEmpty = try connection.integer("SELECT count(*) FROM sqlite_schema") == 0
    let place = "open \(subject.rawValue) \(path)"
    guard application == id || isEmpty && version == 0 && application == 0 else {
      throw LedgerError("\(place): this is another program's database; name another file")
    }
    guard version > newest else { return }
    let schema = subject == .ledger ? " (schema \(version), and this one knows \(newest))" : ""
    throw LedgerError(
      "\(place): a newer halyard wrote it\(schema); use that one, or name another file", kind: .newerSchema)
  }

  /// Another file was put in the place of the log's own. Both together would be neither.
  private static func strangeLog(of path: String) -> LedgerError {
    LedgerError(
      "open ledger \(path): the log beside it, \(path)-wal, is another ledger's; if the file is a backup to go on with,"
        + " move the log away, and else put back the file to which the log belongs; keep a copy of both",
      kind: .corrupt)
  }

  private static func makeTables(_ connection: borrowing Connection) throws(SQLiteError) {
    guard try connection.integer("PRAGMA user_version") == 0 else { return }
    try connection.execute(
      """
      BEGIN EXCLUSIVE; \(Schema.tables)
      PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version); COMMIT
      """)
  }
}

extension Connection {
  /// What tells a ledger from all others, a copy of it too; nil when the pages of the file make no sense.
  fileprivate borrowing func mark() throws(SQLiteError) -> [UInt8]? {
    do throws(SQLiteError) {
      return try prepare("SELECT lease_key FROM owner").first { $0.blob(at: 0) } ?? nil
    } catch {
      guard error.cause == .corrupt else { throw error }
      return nil
    }
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

/// The first bytes of a ledger's file, read without opening it as a database, which would take its lock.
package struct LedgerHeader: Hashable, Sendable {
  /// So many bytes are enough.
  package static let size = 100

  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = Array(bytes.prefix(Self.size))
  }

  /// Why this is no ledger that this version can use; nil when it may be one.
  package var problem: String? {
    if bytes.isEmpty { return nil }
    guard bytes.count == Self.size, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      return "this is not a ledger"
    }
    // The log beside a new file may have what the file does not have yet.
    if application == 0, version == 0 { return nil }
    guard application == Schema.applicationID else { return "this is another program's database" }
    guard version <= Schema.version else {
      return "a newer halyard wrote it (schema \(version), and this one knows \(Schema.version))"
    }
    return nil
  }

  /// What kind of ledger it is, when there is no problem.
  package var summary: String {
    version == 0 ? "a new ledger" : "schema \(version) of \(Schema.version)"
  }

  private var version: Int64 { number(at: 60) }
  private var application: Int64 { number(at: 68) }

  private func number(at place: Int) -> Int64 {
    guard place + 4 <= bytes.count else { return 0 }
    return bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int64($1) }
  }
}

extension LedgerError {
  /// What a file is for.
  enum Subject: String {
    case ledger
    case cache
  }

  /// Says what was tried on which file, and what can be done about it, unless the error says that itself.
  init(_ error: any Error, doing verb: String, _ subject: Subject, _ path: String) {
    switch error {
    case let error as LedgerError: self = error
    case let error as SQLiteError: self.init(error, doing: verb, subject, path)
    default: self.init("\(verb) \(subject.rawValue) \(path): \(error)")
    }
  }

  private init(_ error: SQLiteError, doing verb: String, _ subject: Subject, _ path: String) {
    let system =
      error.systemCode == 0 ? "" : " (\(PosixError(call: "open", code: error.systemCode).message))"
    let (kind, words): (Kind, String) =
      switch error.cause {
      case .busy:
        (
          .locked,
          "another aggregator or command is using it; wait until that has ended, or name another file"
        )
      case .full: (.full, Self.fullDisk(path))
      case .readOnly: (.readOnly, "it cannot be written; check the permissions of the file and its directory")
      case .corrupt:
        (.corrupt, "it is damaged: \(error.message); take a copy of it from before, or name another file")
      case .notADatabase: (.other, "this is not a \(subject.rawValue): \(error.message); name another file")
      case .cannotOpen:
        (.other, "\(error.message)\(system); check that its directory exists and may be written")
      case .tooLarge: (.tooLarge, error.message)
      case .inputOutput: (.other, "\(error.message)\(system); check its disk")
      case .other: (.other, "\(error.call): \(error.message)\(system)")
      }
    self.init("\(verb) \(subject.rawValue) \(path): \(words)", kind: kind)
  }

  private static func fullDisk(_ path: String) -> String {
    let free = freeBytes(at: path).map { " (\($0 >> 10) KiB are free)" } ?? ""
    let needed = (LedgerReserve.needed(total: totalBytes(at: path)) - 1) >> 20 + 1
    return "there is no room left on its disk\(free); make \(needed) MiB or more"
  }
}
