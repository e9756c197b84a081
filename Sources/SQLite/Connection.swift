internal import CSQLite

/// A connection to one database file, closed when it goes out of scope.
///
/// One thread at a time may use it and its statements; it takes no lock of its own.
@safe
public struct Connection: ~Copyable {
  public enum Access: Hashable, Sendable {
    case readOnly
    /// For reading the file as it is without the log beside it, and without a lock.
    case withoutLog
    /// The file is created when it is not there.
    case readWrite
  }

  let handle: OpaquePointer

  /// Done once, before the first connection. It fails when another part of the program has used the library before:
  /// then allocations are counted, and nothing else differs.
  private static let librarySettings: Int32 = halyard_sqlite_count_no_memory()

  /// Opens a file; whether it is a database shows when it is first read.
  ///
  /// - Parameter path: Without links: one that another user put there meanwhile is not followed.
  public init(path: String, access: Access = .readWrite) throws(SQLiteError) {
    let mode =
      switch access {
      case .readOnly: SQLITE_OPEN_READONLY
      case .withoutLog: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    _ = Self.librarySettings
    let name = access == .withoutLog ? Self.immutable(path) : path
    var opened: OpaquePointer?
    let status = unsafe sqlite3_open_v2(
      name, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW, nil)
    guard status == SQLITE_OK, let handle = unsafe opened else {
      let error = unsafe SQLiteError(call: "sqlite3_open_v2", of: opened)
      unsafe sqlite3_close_v2(opened)
      throw error
    }
    unsafe self.handle = unsafe handle
  }

  /// The URI of a path, see "The URI filenames" of SQLite.
  private static func immutable(_ path: String) -> String {
    let escaped = path.utf8.map { byte in
      byte < 0x80 && !"%?#".utf8.contains(byte)
        ? String(Unicode.Scalar(byte)) : "%\(String(byte, radix: 16))"
    }
    return "file:\(escaped.joined())?immutable=1"
  }

  deinit {
    unsafe sqlite3_close_v2(handle)
  }

  /// Whether the log's pages go to their places when it is closed, as they do unless told otherwise.
  public func emptiesLog(onClose: Bool) {
    unsafe halyard_sqlite_empty_log_on_close(handle, onClose ? 1 : 0)
  }

  /// Whether a transaction is open; some errors end it by themselves.
  public var isInTransaction: Bool {
    unsafe sqlite3_get_autocommit(handle) == 0
  }

  /// Whether the file could be opened for reading only, whatever was asked for.
  public var isReadOnly: Bool {
    unsafe sqlite3_db_readonly(handle, "main") == 1
  }

  /// Bytes of the log beside the file.
  public var logBytes: Int64 {
    unsafe halyard_sqlite_log_bytes(handle)
  }

  /// Runs statements without parameters, and drops what they return.
  public func execute(_ sql: String) throws(SQLiteError) {
    guard unsafe sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw unsafe SQLiteError(call: "sqlite3_exec", of: handle)
    }
  }

  /// Compiles one statement, to be run many times.
  public func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try unsafe Statement(sql, on: handle)
  }

  /// Compiles and runs one statement once, and reads the integer it returns first.
  public func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    try prepare(sql).first { $0.integer(at: 0) } ?? nil
  }
}

/// A copy of a database in a file of its own, made a few pages at a time. What its connection changes meanwhile is in the
/// copy too, without a start from the beginning.
@safe
public final class Backup {
  private let handle: OpaquePointer
  /// Closed after the copy is ended.
  private let target: Connection

  /// - Parameters:
  ///   - source: Must outlive the copy.
  ///   - path: An empty file. It is whole after the last step, and not yet forced to the disk.
  public init(of source: borrowing Connection, to path: String) throws(SQLiteError) {
    let target = try Connection(path: path)
    // Until the copy is whole it is of no use, so nothing protects it from a crash.
    try target.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
    guard let handle = unsafe sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw unsafe SQLiteError(call: "sqlite3_backup_init", of: target.handle)
    }
    unsafe self.handle = unsafe handle
    self.target = target
  }

  deinit {
    unsafe sqlite3_backup_finish(handle)
  }

  /// Pages of the database, and those of them that are still to be copied, as of the last step.
  public var pages: (total: Int, left: Int) {
    unsafe (Int(sqlite3_backup_pagecount(handle)), Int(sqlite3_backup_remaining(handle)))
  }

  /// - Returns: Whether the copy is whole.
  public func step(pages: Int) throws(SQLiteError) -> Bool {
    let status = unsafe sqlite3_backup_step(handle, Int32(clamping: pages))
    switch status {
    case SQLITE_OK: return false
    case SQLITE_DONE: return true
    default:
      let words = unsafe sqlite3_errstr(status).map { unsafe String(cString: $0) } ?? ""
      throw SQLiteError(call: "sqlite3_backup_step", code: status, message: words)
    }
  }
}

/// The SQLite that this process runs with.
public enum SQLiteLibrary {
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
