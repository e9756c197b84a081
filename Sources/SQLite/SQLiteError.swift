internal import CSQLite

/// A call of the library that failed.
public struct SQLiteError: Error, Hashable, Sendable {
  /// What the caller can do something about; several result codes share a cause.
  public enum Cause: Hashable, Sendable {
    /// Another process has locked the file.
    case busy
    case full
    case readOnly
    case corrupt
    case notADatabase
    case cannotOpen
    case inputOutput
    case tooLarge
    case other
  }

  /// The C function's name, such as `sqlite3_step`.
  public var call: String
  /// The extended result code; the low eight bits are the primary one.
  public var code: Int32
  /// The library's own words.
  public var message: String
  /// The value of `errno` behind it; 0 when there is none.
  public var systemCode: Int32 = 0

  /// Data that SQLite reads well and that make no sense above it.
  public static func damaged(_ message: String) -> SQLiteError {
    SQLiteError(call: "read", code: SQLITE_CORRUPT, message: message)
  }

  /// What was to be written does not fit into what stands above SQLite, and never will.
  public static func tooLarge(_ message: String) -> SQLiteError {
    SQLiteError(call: "write", code: SQLITE_TOOBIG, message: message)
  }

  /// The file was opened, and it cannot be written.
  public static var readOnly: SQLiteError {
    SQLiteError(call: "sqlite3_open_v2", code: SQLITE_READONLY, message: "the file cannot be written")
  }

  public var cause: Cause {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    case SQLITE_READONLY: .readOnly
    case SQLITE_CORRUPT: .corrupt
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_CANTOPEN, SQLITE_PERM: .cannotOpen
    case SQLITE_TOOBIG: .tooLarge
    case SQLITE_IOERR: isForbidden ? .readOnly : .inputOutput
    default: .other
    }
  }

  /// The file system is read-only, or we may not write there.
  private var isForbidden: Bool {
    [EROFS, EPERM, EACCES].contains(systemCode)
  }
}

extension SQLiteError {
  /// Reads the connection's last error, so it must be the next thing done after the failed call.
  init(call: String, of connection: OpaquePointer?) {
    let code = unsafe sqlite3_extended_errcode(connection)
    let text = unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
    let systemCode = unsafe connection.map { unsafe Self.systemCode(of: $0, code) } ?? 0
    self.init(call: call, code: code, message: text ?? "out of memory", systemCode: systemCode)
  }

  /// What the system said when a commit was not written to the log, SQLite tells only for the log itself.
  private static func systemCode(of connection: OpaquePointer, _ code: Int32) -> Int32 {
    let told = unsafe sqlite3_system_errno(connection)
    guard told == 0, code & 0xFF == SQLITE_IOERR else { return told }
    return unsafe halyard_sqlite_log_errno(connection)
  }
}
