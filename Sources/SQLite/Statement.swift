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
