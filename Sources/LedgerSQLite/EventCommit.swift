import Pipeline
import SQLite

/// Applies the events of one transaction, and writes what they have in common once at its end.
final class EventCommit {
  /// Causes of failed attempts that a job keeps.
  static let causesKept: Int64 = 10

  private let store: LedgerStore
  private let now: Moment
  private var serials: [BatchID: Int64] = [:]
  private var batches: [Int64: BatchRow] = [:]
  private var changedBatches: Set<Int64> = []
  private var greatestToken: LeaseToken?

  init(store: LedgerStore, now: Moment) {
    self.store = store
    self.now = now
  }

  func apply(_ event: LedgerEvent) throws(SQLiteError) -> LedgerAnswer {
    switch event {
    case .submit(let jobs): return .inserted(try insert(jobs))
    case .close(let id, let total):
      try change(try serial(of: id)) { $0.total = total }
      return .applied
    case .grant(let id, let lease, let worker): return try grant(id, lease, to: worker)
    case .settle(let settlement): return try settle(settlement)
    case .retry(let id, let token, let moment, let cause): return try retry(id, token, at: moment, cause)
    case .becameDue(let id): return answer(try store.statements.jobs.becameDue.run(id.uuid.stored))
    case .giveBack(let id, let token):
      return answer(try store.statements.jobs.giveBack.run(id.uuid.stored, .integer(token.stored)))
    case .crash(let id, let token):
      return answer(try store.statements.jobs.crash.run(id.uuid.stored, .integer(token.stored)))
    case .confirmRows(let id, let number): return try confirm(id, upTo: number)
    }
  }

  /// Writes the counters of the batches that were touched, and the last token.
  func finish() throws(SQLiteError) {
    for serial in changedBatches {
      guard let batch = batches[serial] else { continue }
      try store.statements.batches.update.run(
        .integer(serial), .integer(batch.total.map { Int64(bitPattern: $0) }),
        .integer(Int64(clamping: batch.rows)), .integer(Int64(clamping: batch.confirmed)),
        .integer(now.unixMilliseconds))
    }
    guard let greatestToken, try store.lastToken() < greatestToken else { return }
    try store.statements.batches.raiseToken.run(.integer(greatestToken.stored))
  }

  private func answer(_ changedRows: Int) -> LedgerAnswer {
    changedRows == 0 ? .stale : .applied
  }

  private func insert(_ jobs: [Job]) throws(SQLiteError) -> Int {
    var inserted = 0
    for job in jobs {
      inserted += try store.statements.jobs.insert.run(
        job.id.uuid.stored, .integer(try serial(of: job.batch)), .integer(Int64(bitPattern: job.ordinal)),
        .integer(job.deadline?.unixMilliseconds), .blob(JobRecord.encode(job)))
    }
    return inserted
  }

  private func grant(_ id: JobID, _ lease: Lease, to worker: WorkerID) throws(SQLiteError) -> LedgerAnswer {
    let changed = try store.statements.jobs.grant.run(
      id.uuid.stored, .integer(lease.token.stored), .integer(Int64(lease.attempt)), worker.uuid.stored)
    if changed > 0 { greatestToken = max(greatestToken ?? lease.token, lease.token) }
    return answer(changed)
  }

  private func settle(_ settlement: Settlement) throws(SQLiteError) -> LedgerAnswer {
    let id = settlement.job.uuid.stored
    let end = Value.integer(StoredState(settlement.end).rawValue)
    let ended: (batch: Int64?, ordinal: Int64?)? =
      if let lease = settlement.lease {
        try store.statements.jobs.endLeased.first(
          id, end, .integer(lease.token.stored), .integer(Int64(lease.attempt))
        ) { ($0.integer(at: 0), $0.integer(at: 1)) }
      } else {
        try store.statements.jobs.endAny.first(id, end) { ($0.integer(at: 0), $0.integer(at: 1)) }
      }
    guard let ended else { return .stale }
    guard let serial = ended.batch, let ordinal = ended.ordinal else {
      throw .damaged("job \(settlement.job) has no batch")
    }
    let place = try change(serial) { (batch) throws(SQLiteError) in batch.place(of: try batch.appendRow()) }
    try store.statements.results.insert.run(
      .integer(place), id, .integer(ordinal), settlement.failure.map { .text($0.rawValue) } ?? .null,
      .blob(settlement.row))
    return .applied
  }

  private func retry(
    _ id: JobID, _ token: LeaseToken, at moment: Moment, _ cause: Failure
  ) throws(SQLiteError) -> LedgerAnswer {
    let changed = try store.statements.jobs.retry.run(
      id.uuid.stored, .integer(token.stored), .integer(moment.unixMilliseconds))
    guard changed > 0 else { return .stale }
    try store.statements.results.insertCause.run(
      id.uuid.stored, .integer(now.unixMilliseconds), .blob(FailureRecord.encode(cause)))
    try store.statements.results.trimCauses.run(id.uuid.stored, .integer(Self.causesKept))
    return .applied
  }

  private func confirm(_ id: BatchID, upTo number: UInt64) throws(SQLiteError) -> LedgerAnswer {
    guard let serial = try knownSerial(of: id), var batch = batches[serial], batch.confirm(upTo: number)
    else {
      return .stale
    }
    try change(serial) { $0 = batch }
    return .applied
  }

  private func change<Answer>(
    _ serial: Int64, _ body: (inout BatchRow) throws(SQLiteError) -> Answer
  ) throws(SQLiteError) -> Answer {
    if batches[serial] == nil {
      batches[serial] = try store.statements.batches.bySerial.first(.integer(serial)) { BatchRow($0) } ?? nil
    }
    guard var batch = batches[serial] else { throw .damaged("batch \(serial) is missing") }
    let answer = try body(&batch)
    batches[serial] = batch
    changedBatches.insert(serial)
    return answer
  }

  /// Makes the batch when it is new.
  private func serial(of id: BatchID) throws(SQLiteError) -> Int64 {
    if let known = try knownSerial(of: id) { return known }
    try store.statements.batches.insert.run(id.uuid.stored, .integer(now.unixMilliseconds))
    guard let made = try knownSerial(of: id) else { throw .damaged("batch \(id) is missing") }
    return made
  }

  private func knownSerial(of id: BatchID) throws(SQLiteError) -> Int64? {
    if let serial = serials[id] { return serial }
    guard let batch = try store.batch(id) else { return nil }
    serials[id] = batch.serial
    if batches[batch.serial] == nil { batches[batch.serial] = batch }
    return batch.serial
  }
}
