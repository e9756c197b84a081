internal import CSQLite

/// The SQLite that this process runs with.
public enum SQLiteLibrary {
  public static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
