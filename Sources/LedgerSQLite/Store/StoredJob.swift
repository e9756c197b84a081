import Pipeline
import SQLite

/// The columns of a job, over or not.
struct StoredJob {
  static let columns = """
    id, host, state, submitted_at, granted_at, ended_at, attempts, crashes, token, run_at, worker, deadline, record
    """

  let id: JobID
  let state: JobState
  private let host: String
  private let submittedAt: Moment
  private let record: [UInt8]

  /// One that was looked at: nil when it cannot be read, and without its history when it is not looked for.
  static func looked(at row: borrowing Row, for search: JobSearch) -> (id: JobID, found: StoredJob?)? {
    guard let id = UUIDv7(stored: row.blob(at: 0)), let phase = JobPhase(stored: row.integer(at: 2)),
      let submittedAt = row.moment(at: 3)
    else { return nil }
    guard search.wants(phase: phase, host: row.text(at: 1) ?? "", submittedAt: submittedAt) else {
      return (JobID(id), nil)
    }
    return StoredJob(row).map { history in
      let isOfKind = search.kind.map { $0 == JobRecord.kind(in: history.record) } ?? true
      return (JobID(id), isOfKind ? history : nil)
    }
  }

  var recordBytes: Int { record.count }

  /// nil when the row makes no sense.
  init?(_ row: borrowing Row) {
    guard let id = UUIDv7(stored: row.blob(at: 0)),
      let life = JobPhase(stored: row.integer(at: 2))?.life(
        token: row.integer(at: 8), runAt: row.integer(at: 9)),
      let attempts = row.integer(at: 6).flatMap(UInt16.init(exactly:)),
      let crashes = row.integer(at: 7).flatMap(UInt8.init(exactly:)), let record = row.blob(at: 12),
      let submittedAt = row.moment(at: 3)
    else { return nil }
    var state = JobState(
      JobLife(state: life, attempts: attempts, crashes: crashes), deadline: row.moment(at: 11))
    (state.grantedAt, state.endedAt) = (row.moment(at: 4), row.moment(at: 5))
    state.worker = UUIDv7(stored: row.blob(at: 10)).map { WorkerID($0) }
    (self.id, self.state, self.record) = (JobID(id), state, record)
    (host, self.submittedAt) = (row.text(at: 1) ?? "", submittedAt)
  }

  var kind: JobKind? { JobRecord.kind(in: record) }

  func known() throws(SQLiteError) -> LedgerJob {
    guard let job = try? JobRecord.decode(record, of: id) else {
      throw .damaged("the record of job \(id) cannot be read")
    }
    return LedgerJob(job, state, host: host, submittedAt: submittedAt)
  }
}

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

/// A batch as its table has it.
extension LedgerBatch {
  static let columns =
    """
    serial, total, rows, confirmed, submitted, settled, failed, cancelled, abandoned, submitted_at, cancels, cause, \(Pause.columns),
    first_submitted_at, name, weight, at_most, per_hour, starts_at, deadline, kinds, id
    """
  /// The condition for a passing batch: its id ends with `BatchID.passingMark`.
  static let isPassing = "substr(id, 12) = X'0070696E67'"
  /// The condition for a batch of a run's calls, likewise.
  static let isOfCalls = "substr(id, 12) = X'0063616C6C'"
  /// The condition for a batch that users see.
  static let isShown = "NOT \(isPassing) AND NOT \(isOfCalls)"
  /// The condition for a batch of which nothing is open, and to which nothing is awaited.
  static let isComplete = "total = settled AND submitted = settled"

  /// nil when the row makes no sense.
  init?(_ row: borrowing Row) {
    guard let serial = row.integer(at: 0), let rows = row.integer(at: 2), let confirmed = row.integer(at: 3),
      let submitted = row.integer(at: 4), let settled = row.integer(at: 5), let failed = row.integer(at: 6),
      let cancelled = row.integer(at: 7), let submittedAt = row.moment(at: 9),
      let firstSubmittedAt = row.moment(at: 16), let kinds = row.integer(at: 23),
      let id = UUIDv7(stored: row.blob(at: 24))
    else { return nil }
    let progress = BatchProgress(
      total: row.integer(at: 1).map { UInt64(bitPattern: $0) }, rows: UInt64(clamping: rows),
      settled: UInt64(clamping: settled), failed: UInt64(clamping: failed),
      cancelled: UInt64(clamping: cancelled), isAbandoned: row.integer(at: 8) == 1,
      isPaused: row.integer(at: 12) != nil)
    self.init(
      BatchID(id), serial: serial, progress, submitted: UInt64(clamping: submitted),
      confirmed: UInt64(clamping: confirmed), kinds: UInt64(bitPattern: kinds), submittedAt: submittedAt,
      firstSubmittedAt: firstSubmittedAt)
    cancellation = row.integer(at: 10).map {
      BatchCancellation(cause: row.text(at: 11) ?? "", everything: $0 == 1)
    }
    terms = BatchTerms(row, at: 17)
    pause = Pause(row, at: 12)
  }

  /// What a change writes, as `BatchSQL.update` has it.
  func values(changedAt moment: Moment?) -> [Value] {
    [
      .integer(serial), .integer(progress.total.map { Int64(bitPattern: $0) }),
      .integer(Int64(clamping: progress.rows)), .integer(Int64(clamping: confirmed)),
      .integer(Int64(clamping: submitted)), .integer(Int64(clamping: progress.settled)),
      .integer(Int64(clamping: progress.failed)), .integer(Int64(clamping: progress.cancelled)),
      .integer(progress.isAbandoned ? 1 : 0), .moment(submittedAt),
      .integer(cancellation.map { $0.everything ? 1 : 0 }), .text(cancellation?.cause),
    ] + Pause.values(pause) + [
      .moment(moment), .text(terms.name), .integer(terms.weight.map { Int64($0) }),
      .integer(terms.atMost.map { Int64($0) }), .integer(terms.perHour.map { Int64($0) }),
      .moment(terms.startsAt), .moment(terms.deadline), .integer(Int64(bitPattern: kinds)),
    ]
  }

  /// Where its next row will stand in the table of results.
  var nextPlace: Int64 { place(of: progress.rows + 1) }

  /// Where a row of this batch stands in the table of results.
  func place(of number: UInt64) -> Int64 {
    Int64(bitPattern: RowPlace(serial: serial, number: number).value)
  }

  /// - Returns: The number of the row.
  mutating func appendRow(of end: JobLife.End) throws(SQLiteError) -> UInt64 {
    guard progress.rows < Job.mostInBatch else {
      throw .tooLarge("a batch has \(Job.mostInBatch) rows, and no number is left for another one")
    }
    settled(end)
    return progress.rows
  }
}

extension BatchTerms {
  fileprivate init(_ row: borrowing Row, at column: Int) {
    self.init(name: row.text(at: column))
    weight = row.integer(at: column + 1).map { UInt32(clamping: $0) }
    atMost = row.integer(at: column + 2).map { UInt32(clamping: $0) }
    perHour = row.integer(at: column + 3).map { UInt32(clamping: $0) }
    (startsAt, deadline) = (row.moment(at: column + 4), row.moment(at: column + 5))
  }
}

extension Pause {
  static let columns = "paused_at, paused_for, paused_by, paused_why"

  /// nil when the first of the columns says that nothing is paused.
  init?(_ row: borrowing Row, at column: Int) {
    guard let moment = row.moment(at: column) else { return nil }
    self.init(
      by: row.text(at: column + 2) ?? "", reason: row.text(at: column + 3), at: moment,
      lastsMilliseconds: row.integer(at: column + 1))
  }

  static func values(_ pause: Pause?) -> [Value] {
    [.moment(pause?.at), .integer(pause?.lastsMilliseconds), .text(pause?.by), .text(pause?.reason)]
  }
}
