internal import JSONQuery
internal import SQLite

/// Puts rows into an SQLite database, which takes its file's place when it is whole.
final class DatabaseSink: ByteSink {
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

  /// Takes whole rows, a line each. They are committed many at a time, whatever a burst is.
  func write(_ bytes: [UInt8]) throws(OutputError) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let row = try JSONValue(row: Array(line))
      try attempt { table throws(SQLiteError) in try table.insert(row) }
    }
  }

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
