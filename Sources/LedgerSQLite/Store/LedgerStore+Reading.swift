import Pipeline
import SQLite

extension LedgerStore {
  func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) throws(SQLiteError) -> [NumberedRow] {
    guard let known = try self.batch(batch), number < known.counters.progress.rows else { return [] }
    var room = bytes
    func readRow(_ stored: borrowing Row) -> NumberedRow? {
      let row = NumberedRow(stored: stored)
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
    return NewestBatches(
      try summaries(SQL.batches.newest, .integer(.max), .integer(Int64(max(0, limit)))), of: Int(count ?? 0))
  }

  func batches(_ query: BatchQuery) throws(SQLiteError) -> BatchPage {
    let most = Value.integer(Int64(query.limit))
    let found: [LedgerSummary.Batch]
    switch query {
    case .listed(let search):
      return BatchPage(try summaries(SQL.batches.newest, .integer(search.from ?? .max), most), for: search)
    case .shown(let batch, from: let serial, limit: _):
      found = try summaries(SQL.batches.shown, .integer(serial), batch?.uuid.stored ?? .null, most)
    case .cancelled: found = try summaries(SQL.batches.cancelled)
    case .unfinished(before: let moment, limit: _):
      found = try summaries(SQL.batches.unfinished, .integer(moment.unixMilliseconds), most)
    case .ready(after: let serial, let limit): found = try readyBatches(after: serial, limit: limit)
    }
    return BatchPage(found, limit: query.limit, place: \.serial)
  }

  private func summaries(
    _ statement: SQL, _ values: Value...
  ) throws(SQLiteError) -> [LedgerSummary.Batch] {
    try statements[statement].all(values, read: BatchRow.withID).sound("a batch cannot be read").map {
      $0.row.counters.summary(id: $0.id)
    }
  }

  private func readyBatches(
    after serial: Int64, limit: Int
  ) throws(SQLiteError) -> [LedgerSummary.Batch] {
    var (found, last) = ([LedgerSummary.Batch](), serial)
    while found.count < limit,
      let serial = try statements[.selections.readyBatch].first(.integer(last), read: { $0.integer(at: 0) }),
      let serial
    {
      let batch = try summaries(SQL.batches.bySerial, .integer(serial))
      guard !batch.isEmpty else { throw .damaged("batch \(serial) is missing") }
      found += batch
      last = serial
    }
    return found
  }

  func lastSeen() throws(SQLiteError) -> [WorkerID: Moment] {
    let rows = try statements[.workers.lastSeen].all { (UUIDv7(stored: $0.blob(at: 0)), $0.integer(at: 1)) }
    var seen: [WorkerID: Moment] = [:]
    for case (let id?, let moment?) in rows { seen[WorkerID(id)] = Moment(unixMilliseconds: moment) }
    return seen
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
  init?(stored row: borrowing Row) {
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
