import Pipeline
import SQLite

/// A job's state as the table holds it. Statements name these numbers.
extension JobPhase {
  init?(stored: Int64?) {
    guard let code = stored.flatMap(UInt8.init(exactly:)) else { return nil }
    self.init(rawValue: code)
  }

  var stored: Value { .integer(Int64(rawValue)) }

  /// nil when what belongs to it is missing.
  func life(token: Int64?, runAt: Int64?) -> JobLife.State? {
    switch self {
    case .waiting: .waiting
    case .ready: .ready
    case .leased: token.map { .leased(LeaseToken(stored: $0)) }
    case .scheduled: runAt.map { .scheduled(Moment(unixMilliseconds: $0)) }
    case .done: .over(.done)
    case .failed: .over(.dead)
    case .cancelled: .over(.cancelled)
    }
  }
}

extension LeaseToken {
  /// Tokens are unsigned and the file's integers are not: the bits are kept.
  init(stored: Int64) {
    self.init(UInt64(bitPattern: stored))
  }

  var stored: Int64 { Int64(bitPattern: value) }
}

extension Value {
  /// nil is NULL.
  static func text(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
  static func moment(_ moment: Moment?) -> Value { .integer(moment?.unixMilliseconds) }
}

extension Row {
  func moment(at column: Int) -> Moment? { integer(at: column).map { Moment(unixMilliseconds: $0) } }

  /// nil when it makes no sense.
  func failure(at column: Int) -> FailureKind?? {
    guard let name = text(at: column) else { return .some(nil) }
    return FailureKind(rawValue: name).map { .some($0) }
  }
}

extension UUIDv7 {
  /// Sixteen bytes in the order that sorts by time.
  var stored: Value { .wideNumber(high: high, low: low) }

  init?(stored: [UInt8]?) {
    guard let stored, stored.count == 16 else { return nil }
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: word(stored[..<8]), low: word(stored[8...]))
  }
}

extension Array {
  /// What was read, if all of it makes sense.
  func sound<Read>(_ problem: @autoclosure () -> String) throws(SQLiteError) -> [Read]
  where Element == Read? {
    try map { (read) throws(SQLiteError) in
      guard let read else { throw .damaged(problem()) }
      return read
    }
  }
}

extension PreparedStatements {
  /// The first column of the first row; nil when there is none.
  func integer(_ statement: SQL, _ values: Value...) throws(SQLiteError) -> Int64? {
    try self[statement].all(values, read: { $0.integer(at: 0) }).first ?? nil
  }

  /// All of `body` or nothing of it.
  func transaction<Answer>(
    _ begin: SQL = .begin, on connection: borrowing Connection, _ body: () throws(SQLiteError) -> Answer
  ) throws(SQLiteError) -> Answer {
    try self[begin].run()
    do {
      let answer = try body()
      try self[.commit].run()
      return answer
    } catch {
      // Some errors roll back by themselves.
      if connection.isInTransaction { _ = try? self[.rollback].run() }
      throw error
    }
  }
}
