internal import CSQLite

/// The library's version, such as `3.40.1`.
public var sqliteVersion: String {
  unsafe String(cString: sqlite3_libversion())
}
