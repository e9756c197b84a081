internal import JSONQuery
internal import SQLite

/// Writes rows into an SQLite database, which takes its file's place when it is whole.
final class DatabaseWriter: RowTarget {
  private let name: String
  private let sink: ReplacingSink
  /// nil once it is closed.
  private var table: RowTable?

  init(path: String, columns: [RowColumn]) throws(OutputError) {
    guard let sink = try ReplacingSink(path) else {
      throw .failed(path, "a database needs a file of one name, in a directory where files can be made")
    }
    (name, self.sink) = (path, sink)
    do throws(SQLiteError) {
      table = try RowTable(path: sink.partPath, columns: columns)
    } catch {
      _ = sink.breakOff(keepingRows: false)
      throw .failed(path, error.message)
    }
    // The database was opened by its name, and the table is in it.
    guard !sink.isEmpty else {
      throw .failed(
        path, "another user put a file in the place of \(sink.partPath); choose another directory")
    }
  }

  func write(_ row: [UInt8]) throws(OutputError) {
    let row = try JSONValue(row: row)
    try attempt { table throws(SQLiteError) in try table.insert(row) }
  }

  /// Rows are committed many at a time, whatever a burst is.
  func flush() {}

  func finish() throws(OutputError) {
    try attempt { table throws(SQLiteError) in try table.commit() }
    table = nil
    try sink.finish()
  }

  func breakOff(keepingRows: Bool) -> String? {
    if keepingRows { try? table?.commit() }
    let hasRows = table?.hasRows ?? false
    table = nil
    return sink.breakOff(keepingRows: keepingRows && hasRows)
  }

  private func attempt(_ step: (RowTable) throws(SQLiteError) -> Void) throws(OutputError) {
    guard let table else { return }
    do throws(SQLiteError) {
      try step(table)
    } catch {
      throw .failed(name, error.message)
    }
  }
}
