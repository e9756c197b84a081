internal import CSQLite

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
