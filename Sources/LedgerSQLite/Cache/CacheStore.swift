import Links
import Pipeline
import SQLite

/// Kept answers in a database. It belongs to one thread, and leaves transactions to its caller.
final class CacheStore {
  let statements: PreparedStatements
  private let most: Int
  private let mostBytes: Int64
  /// Answers that came since the last time some were dropped.
  private var untrimmed: Int

  init(_ connection: borrowing Connection, most: Int, mostBytes: Int64 = CacheRule.mostBytes) {
    statements = PreparedStatements(connection)
    self.most = most
    self.mostBytes = mostBytes
    // An earlier process may have left some.
    untrimmed = most / 100
  }

  func find(_ questions: [String], bytes: Int) throws(SQLiteError) -> [CachedAnswer?] {
    var found: [CachedAnswer?] = []
    var room = bytes
    for question in questions where room > 0 {
      let stored =
        try statements[.cache.find].first(.integer(Int64(bitPattern: question.stableHash()))) {
          CachedAnswer($0)
        }
        ?? nil
      let answer = stored.flatMap { $0.question == question ? $0 : nil }
      found.append(answer)
      room -= answer?.json.count ?? 0
    }
    return found
  }

  func write(_ answers: [CachedAnswer]) throws(SQLiteError) {
    for answer in answers {
      try statements[.cache.insert].run(
        .integer(Int64(bitPattern: answer.question.stableHash())), .text(answer.question),
        .moment(answer.storedAt), .text(answer.failure?.rawValue),
        .integer(answer.isOfFailure ? 1 : 0), .text(answer.validators?.url),
        .text(answer.validators?.entityTag), .text(answer.validators?.lastModified), .blob(answer.json))
    }
    untrimmed += answers.count
    guard let newest = answers.last, untrimmed > most / 100 else { return }
    let oldest = newest.storedAt.advanced(byMilliseconds: -CacheRule.longestMilliseconds)
    try statements[.cache.trimOld].run(.moment(oldest))
    try statements[.cache.trimMany].run(.integer(Int64(most)))
    try trimBytes()
    untrimmed = 0
  }

  /// Drops as large a share of the answers, the oldest first, as their bytes are too many.
  private func trimBytes() throws(SQLiteError) {
    let size = try statements[.cache.size].first { ($0.integer(at: 0) ?? 0, $0.integer(at: 1) ?? 0) }
    guard let (count, bytes) = size, bytes > mostBytes else { return }
    try statements[.cache.trimMany].run(.integer(Int64(Double(count) * Double(mostBytes) / Double(bytes))))
  }
}

extension CachedAnswer {
  /// nil when it is not one of ours: then there is none.
  fileprivate init?(_ row: borrowing Row) {
    guard let question = row.text(at: 0), let storedAt = row.moment(at: 1), let failure = row.failure(at: 2),
      let json = row.blob(at: 7)
    else { return nil }
    self.init(
      question: question, storedAt: storedAt, failure: failure,
      isOfFailure: row.integer(at: 3) != 0,
      validators: row.text(at: 4).flatMap {
        Validators(url: $0, entityTag: row.text(at: 5), lastModified: row.text(at: 6))
      },
      json: json)
  }
}
