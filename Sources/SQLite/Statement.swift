internal import CSQLite

/// A value of a parameter.
public enum Value: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// A blob of sixteen bytes in the order that sorts as the two numbers do.
  case wideNumber(high: UInt64, low: UInt64)

  /// nil is NULL.
  public static func integer(_ value: Int64?) -> Value {
    value.map { .integer($0) } ?? .null
  }
}

/// A compiled statement, freed with its last reference. It keeps its connection open until then.
@safe
public final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer

  init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let status = unsafe sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard status == SQLITE_OK, let handle = unsafe prepared else {
      throw unsafe SQLiteError(call: "sqlite3_prepare_v3", of: connection)
    }
    unsafe self.handle = unsafe handle
    unsafe self.connection = unsafe connection
  }

  deinit {
    unsafe sqlite3_finalize(handle)
  }

  /// The text it was compiled from.
  public var sql: String {
    unsafe sqlite3_sql(handle).map { unsafe String(cString: $0) } ?? ""
  }

  /// Runs an INSERT, UPDATE or DELETE to its end, and tells how many rows it changed.
  @discardableResult
  public func run(_ values: Value...) throws(SQLiteError) -> Int {
    try run(values)
  }

  /// The same with as many values as the text has parameters.
  @discardableResult
  public func run(_ values: [Value]) throws(SQLiteError) -> Int {
    defer { reset() }
    try bind(values)
    while try step() {}
    return unsafe Int(sqlite3_changes64(connection))
  }

  /// Reads the first row; nil when there is none.
  public func first<Read>(_ values: Value..., read: (borrowing Row) -> Read) throws(SQLiteError) -> Read? {
    defer { reset() }
    try bind(values)
    return try step() ? unsafe read(Row(handle)) : nil
  }

  /// Reads all rows in order, or as many as are wanted.
  public func all<Read>(
    _ values: Value..., while wantsMore: () -> Bool = { true }, read: (borrowing Row) -> Read
  ) throws(SQLiteError) -> [Read] {
    try all(values, while: wantsMore, read: read)
  }

  /// The same with as many values as the text has parameters.
  public func all<Read>(
    _ values: [Value], while wantsMore: () -> Bool = { true }, read: (borrowing Row) -> Read
  ) throws(SQLiteError) -> [Read] {
    defer { reset() }
    try bind(values)
    var rows: [Read] = []
    while wantsMore(), try step() { rows.append(unsafe read(Row(handle))) }
    return rows
  }

  private func bind(_ values: [Value]) throws(SQLiteError) {
    for (position, value) in values.enumerated() {
      let index = Int32(clamping: position + 1)
      let status =
        switch value {
        case .null: unsafe sqlite3_bind_null(handle, index)
        case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
        case .real(let number): unsafe sqlite3_bind_double(handle, index, number)
        case .text(let text): bind(Array(text.utf8), at: index, isText: true)
        case .blob(let bytes): bind(bytes, at: index, isText: false)
        case .wideNumber(let high, let low): bind(high, low, at: index)
        }
      guard status == SQLITE_OK else { throw unsafe SQLiteError(call: "sqlite3_bind", of: connection) }
    }
  }

  private func bind(_ bytes: [UInt8], at index: Int32, isText: Bool) -> Int32 {
    unsafe bytes.withUnsafeBytes { buffer in
      let count = UInt64(buffer.count)
      return isText
        ? unsafe halyard_sqlite_bind_text(handle, index, buffer.baseAddress, count)
        : unsafe halyard_sqlite_bind_blob(handle, index, buffer.baseAddress, count)
    }
  }

  private func bind(_ high: UInt64, _ low: UInt64, at index: Int32) -> Int32 {
    unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { buffer in
      unsafe halyard_sqlite_bind_blob(handle, index, buffer.baseAddress, UInt64(buffer.count))
    }
  }

  /// - Returns: Whether there is a row to read.
  private func step() throws(SQLiteError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw unsafe SQLiteError(call: "sqlite3_step", of: connection)
    }
  }

  /// Parameters keep their values until they are bound again; every run binds all of its own.
  private func reset() {
    unsafe sqlite3_reset(handle)
  }
}

/// The text of a statement, which every connection compiles once. What tells it from others is itself, not its text.
public final class SQL: Sendable {
  let text: String

  public init(_ text: String) { self.text = text }
}

/// The statements of a connection, each compiled when it is first used. It does not outlive the connection.
@safe
public final class PreparedStatements {
  private let connection: OpaquePointer
  private var compiled: [ObjectIdentifier: (sql: SQL, statement: Statement)] = [:]

  public init(_ connection: borrowing Connection) {
    unsafe self.connection = unsafe connection.handle
  }

  public subscript(sql: SQL) -> Statement {
    get throws(SQLiteError) {
      if let known = compiled[ObjectIdentifier(sql)] { return known.statement }
      let statement = try unsafe Statement(sql.text, on: connection)
      compiled[ObjectIdentifier(sql)] = (sql, statement)
      return statement
    }
  }
}

/// The row a statement stands on; columns count from 0. What is asked for in another type reads as nil.
@safe
public struct Row: ~Copyable {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) {
    unsafe self.handle = unsafe handle
  }

  public func integer(at column: Int) -> Int64? {
    guard type(at: column) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(handle, Int32(clamping: column))
  }

  public func real(at column: Int) -> Double? {
    guard type(at: column) == SQLITE_FLOAT else { return nil }
    return unsafe sqlite3_column_double(handle, Int32(clamping: column))
  }

  public func text(at column: Int) -> String? {
    guard type(at: column) == SQLITE_TEXT else { return nil }
    return String(decoding: copy(of: column), as: UTF8.self)
  }

  public func blob(at column: Int) -> [UInt8]? {
    guard type(at: column) == SQLITE_BLOB else { return nil }
    return copy(of: column)
  }

  private func type(at column: Int) -> Int32 {
    unsafe sqlite3_column_type(handle, Int32(clamping: column))
  }

  private func copy(of column: Int) -> [UInt8] {
    let column = Int32(clamping: column)
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }
}
