internal import JSONQuery
import SQLite

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
