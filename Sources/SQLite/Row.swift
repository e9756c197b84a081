internal import CSQLite

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
