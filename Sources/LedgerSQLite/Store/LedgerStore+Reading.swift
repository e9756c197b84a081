import Pipeline
import SQLite

/// What the ledger is asked.
extension LedgerStore {
  func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) throws(SQLiteError) -> [NumberedRow] {
    guard let counters = try self.batch(batch), number < counters.rows else { return [] }
    var room = bytes
    func readRow(_ stored: borrowing Row) -> NumberedRow? {
      let row = NumberedRow(stored: stored, of: batch)
      room -= row?.json.count ?? 0
      return row
    }
    let rows = try statements.results.read.all(
      .integer(counters.place(of: number)), .integer(counters.place(of: counters.rows)),
      .integer(Int64(max(0, limit))), while: { room > 0 }, read: readRow)
    return try rows.map { (row) throws(SQLiteError) in
      guard let row else { throw .damaged("a row of batch \(batch) cannot be read") }
      return row
    }
  }

  func progress(of batch: BatchID) throws(SQLiteError) -> BatchProgress? {
    try self.batch(batch)?.progress
  }

  func summary(batches limit: Int) throws(SQLiteError) -> LedgerSummary {
    try newestBatches(atMost: limit).summary(counts)
  }

  func newestBatches(atMost limit: Int = NewestBatches.most) throws(SQLiteError) -> NewestBatches {
    let count = try statements.batches.count.first { $0.integer(at: 0) } ?? 0
    return NewestBatches(try batches(through: .max, limit: limit), of: Int(count ?? 0))
  }

  func batches(_ search: BatchSearch) throws(SQLiteError) -> BatchPage {
    let looked = try batches(through: search.from ?? .max, limit: BatchSearch.mostLooked)
    return BatchPage(looked.map { ($0.row.serial, $0.row.summary(id: $0.id)) }, for: search)
  }

  /// The newest first.
  private func batches(
    through serial: Int64, limit: Int
  ) throws(SQLiteError) -> [(row: BatchRow, id: BatchID)] {
    let rows = try statements.batches.newest.all(.integer(serial), .integer(Int64(max(0, limit)))) {
      (batch: BatchRow($0), id: UUIDv7(stored: $0.blob(at: BatchRow.width)))
    }
    return try rows.map { (row) throws(SQLiteError) in
      guard let batch = row.batch, let id = row.id else { throw .damaged("a batch cannot be read") }
      return (batch, BatchID(id))
    }
  }

  func cancellations() throws(SQLiteError) -> [KnownCancellation] {
    let rows = try statements.batches.cancelled.all {
      (batch: BatchRow($0), id: UUIDv7(stored: $0.blob(at: BatchRow.width)))
    }
    return try rows.map { (row) throws(SQLiteError) in
      guard let batch = row.batch, let id = row.id, let cancellation = batch.cancellation else {
        throw .damaged("a cancelled batch cannot be read")
      }
      return KnownCancellation(BatchID(id), cancellation, hasOpenJobs: batch.settled < batch.submitted)
    }
  }

  func unfinishedBatches(before moment: Moment, limit: Int) throws(SQLiteError) -> [BatchID] {
    let ids = try statements.batches.unfinished.all(
      .integer(moment.unixMilliseconds), .integer(Int64(max(0, limit)))
    ) { UUIDv7(stored: $0.blob(at: 0)) }
    return try ids.map { (id) throws(SQLiteError) in
      guard let id else { throw .damaged("a batch cannot be read") }
      return BatchID(id)
    }
  }

  func lastSeen() throws(SQLiteError) -> [WorkerID: Moment] {
    let rows = try statements.workers.lastSeen.all { (UUIDv7(stored: $0.blob(at: 0)), $0.integer(at: 1)) }
    var seen: [WorkerID: Moment] = [:]
    for case (let id?, let moment?) in rows { seen[WorkerID(id)] = Moment(unixMilliseconds: moment) }
    return seen
  }

  func lastToken() throws(SQLiteError) -> LeaseToken {
    guard let token = try statements.batches.lastToken.first(read: { $0.integer(at: 0) }) ?? nil else {
      throw .damaged("the last lease token is missing")
    }
    return LeaseToken(stored: token)
  }

  func leaseKey() throws(SQLiteError) -> LeaseKey {
    guard let key = UUIDv7(stored: try statements.batches.leaseKey.first(read: { $0.blob(at: 0) }) ?? nil)
    else {
      throw .damaged("the key of the leases is missing")
    }
    return LeaseKey(high: key.high, low: key.low)
  }

  func batch(_ id: BatchID) throws(SQLiteError) -> BatchRow? {
    guard let found = try statements.batches.byID.first(id.uuid.stored, read: { BatchRow($0) }) else {
      return nil
    }
    guard let found else { throw .damaged("batch \(id) cannot be read") }
    return found
  }
}

extension NumberedRow {
  init?(stored row: borrowing Row, of batch: BatchID) {
    guard let place = row.integer(at: 0), let ordinal = row.integer(at: 1), let json = row.blob(at: 3) else {
      return nil
    }
    var failure: FailureKind?
    if let name = row.text(at: 2) {
      guard let kind = FailureKind(rawValue: name) else { return nil }
      failure = kind
    }
    self.init(
      number: UInt64(bitPattern: place & 0xFFFF_FFFF), ordinal: UInt64(bitPattern: ordinal), failure: failure,
      json: RowHead.whole(json, batch, UInt64(bitPattern: ordinal)))
  }
}
