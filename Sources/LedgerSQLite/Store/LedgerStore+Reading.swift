import Pipeline
import SQLite

extension LedgerStore {
  func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) throws(SQLiteError) -> [NumberedRow] {
    guard let known = try self.batch(batch), number < known.counters.progress.rows else { return [] }
    var room = bytes
    func readRow(_ stored: borrowing Row) -> NumberedRow? {
      let row = NumberedRow(stored: stored, of: batch)
      room -= row?.json.count ?? 0
      return row
    }
    return try statements[.results.read].all(
      .integer(known.place(of: number)), .integer(known.place(of: known.counters.progress.rows)),
      .integer(Int64(max(0, limit))), while: { room > 0 }, read: readRow
    ).sound("a row of batch \(batch) cannot be read")
  }

  func progress(of batch: BatchID) throws(SQLiteError) -> BatchProgress? {
    try self.batch(batch)?.counters.progress
  }

  func summary(batches limit: Int) throws(SQLiteError) -> LedgerSummary {
    try newestBatches(atMost: limit).summary(counts)
  }

  func newestBatches(atMost limit: Int = NewestBatches.most) throws(SQLiteError) -> NewestBatches {
    let count = try statements[.batches.count].first { $0.integer(at: 0) } ?? 0
    return NewestBatches(try batches(through: .max, limit: limit), of: Int(count ?? 0))
  }

  func batches(_ search: BatchSearch) throws(SQLiteError) -> BatchPage {
    let looked = try batches(through: search.from ?? .max, limit: BatchSearch.mostLooked)
    return BatchPage(looked.map { ($0.row.serial, $0.row.counters.summary(id: $0.id)) }, for: search)
  }

  /// The newest first.
  private func batches(
    through serial: Int64, limit: Int
  ) throws(SQLiteError) -> [(row: BatchRow, id: BatchID)] {
    try statements[.batches.newest].all(
      .integer(serial), .integer(Int64(max(0, limit))), read: BatchRow.withID
    ).sound("a batch cannot be read")
  }

  func cancellations() throws(SQLiteError) -> [KnownCancellation] {
    let cancelled = try statements[.batches.cancelled].all(read: BatchRow.withID)
    return try cancelled.sound("a cancelled batch cannot be read").compactMap { batch, id in
      batch.counters.cancellation.map {
        KnownCancellation(id, $0, hasOpenJobs: batch.counters.open > 0)
      }
    }
  }

  func unfinishedBatches(before moment: Moment, limit: Int) throws(SQLiteError) -> [BatchID] {
    let ids = try statements[.batches.unfinished].all(
      .integer(moment.unixMilliseconds), .integer(Int64(max(0, limit)))
    ) { UUIDv7(stored: $0.blob(at: 0)) }
    return try ids.sound("a batch cannot be read").map { BatchID($0) }
  }

  func lastSeen() throws(SQLiteError) -> [WorkerID: Moment] {
    let rows = try statements[.workers.lastSeen].all { (UUIDv7(stored: $0.blob(at: 0)), $0.integer(at: 1)) }
    var seen: [WorkerID: Moment] = [:]
    for case (let id?, let moment?) in rows { seen[WorkerID(id)] = Moment(unixMilliseconds: moment) }
    return seen
  }

  func lastToken() throws(SQLiteError) -> LeaseToken {
    guard let token = try statements[.batches.lastToken].first(read: { $0.integer(at: 0) }) ?? nil else {
      throw .damaged("the last lease token is missing")
    }
    return LeaseToken(stored: token)
  }

  func leaseKey() throws(SQLiteError) -> LeaseKey {
    guard let key = UUIDv7(stored: try statements[.batches.leaseKey].first(read: { $0.blob(at: 0) }) ?? nil)
    else {
      throw .damaged("the key of the leases is missing")
    }
    return LeaseKey(high: key.high, low: key.low)
  }

  func batch(_ id: BatchID) throws(SQLiteError) -> BatchRow? {
    guard let found = try statements[.batches.byID].first(id.uuid.stored, read: { BatchRow($0) }) else {
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
      json: json)
  }
}
