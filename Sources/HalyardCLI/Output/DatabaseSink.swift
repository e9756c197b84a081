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

/// The table `rows` of a new database. One thread at a time may use it.
final class RowTable {
  private static let rowsPerCommit = 1_000

  private let connection: Connection
  private let insertion: Statement
  private let fields: [RowField]
  /// Rows of the transaction that is open.
  private var pending = 0
  /// Whether there are rows that a later failure does not take away.
  private(set) var hasRows = false

  /// - Parameter path: An empty file.
  init(path: String, columns: [RowColumn]) throws(SQLiteError) {
    let connection = try Connection(path: path)
    // The file is synced once, when it is whole; before that nobody reads it. The journal in memory undoes a transaction
    // that meets a full disk, so that the rows before it stay.
    try connection.execute(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    let definitions = zip(RowColumnName.distinct(columns.map(\.heading)), columns).map { name, column in
      "\(RowColumnName.quoted(name))\(column.field.columnType.map { " \($0)" } ?? "")"
    }
    try connection.execute("CREATE TABLE rows (\(definitions.joined(separator: ", ")))")
    let parameters = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    insertion = try connection.prepare("INSERT INTO rows VALUES (\(parameters))")
    fields = columns.map(\.field)
    self.connection = connection
  }

  func insert(_ row: JSONValue) throws(SQLiteError) {
    if pending == 0 { try connection.execute("BEGIN") }
    try insertion.run(fields.map { Value($0.value(in: row)) })
    pending += 1
    if pending == Self.rowsPerCommit { try commit() }
  }

  func commit() throws(SQLiteError) {
    guard pending > 0 else { return }
    try connection.execute("COMMIT")
    pending = 0
    hasRows = true
  }
}

/// Names of columns as SQLite takes them.
enum RowColumnName {
  /// Names that differ at most in the case of letters are one to SQLite: later ones get a number.
  static func distinct(_ headings: [String]) -> [String] {
    var taken: Set<String> = []
    return headings.map { heading in
      let name = heading.replacing("\0", with: "\u{FFFD}")
      var (distinct, number) = (name, 1)
      while !taken.insert(distinct.lowercased()).inserted {
        number += 1
        distinct = "\(name)_\(number)"
      }
      return distinct
    }
  }

  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}

extension Value {
  /// Of a member of a row; nil is one that the row lacks.
  fileprivate init(_ member: JSONValue?) {
    guard let member else {
      self = .null
      return
    }
    switch member.kind {
    case .null: self = .null
    case .bool: self = .integer(member.bool == true ? 1 : 0)
    case .number: self = Self.number(member)
    case .string: self = .text(member.string ?? "")
    case .array, .object: self = .text(member.minified)
    }
  }

  /// A number that SQLite cannot hold becomes text, with all its digits.
  private static func number(_ member: JSONValue) -> Value {
    if let integer = member.int64 { return .integer(integer) }
    if let real = member.numberText.flatMap({ Double($0) }), real.isFinite { return .real(real) }
    return .text(member.minified)
  }
}

extension RowField {
  private static let integers: Set = [
    "ordinal", "http_status", "truncated", "length", "refresh.seconds", "card.image_width",
    "card.image_height", "card.embed.thumbnail_width", "card.embed.thumbnail_height", "card.embed.width",
    "card.embed.height", "error.retryable", "attempts",
    "ms",
    "cached", "age", "revalidated",
  ]

  /// What the column is declared as; nil for members that a document behind a link makes up.
  fileprivate var columnType: String? {
    if Self.integers.contains(name) { return "INTEGER" }
    return Self.members.contains(name) || Self.keptColumn(name) != nil ? "TEXT" : nil
  }
}
