internal import CSQLite

/// The SQLite that this process runs with.
public enum SQLiteLibrary {
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }
}

/// The library's version, such as `3.40.1`.
public var sqliteVersion: String {
  unsafe String(cString: sqlite3_libversion())
}
