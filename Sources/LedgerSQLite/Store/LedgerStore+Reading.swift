import Pipeline
import SQLite

extension LedgerStore {
  func rows(
    of batch: BatchID, after number: UInt64, limit: Int, bytes: Int
  ) throws(SQLiteError) -> [NumberedRow] {
    guard let known = try self.batch(batch), number < known.progress.rows else { return [] }
    var room = bytes
    func readRow(_ stored: borrowing Row) -> NumberedRow? {
      let row = NumberedRow(stored: stored)
      room -= row?.json.count ?? 0
      return row
    }
    return try statements[.results.read].all(
      .integer(known.place(of: number)), .integer(known.place(of: known.progress.rows)),
      .integer(Int64(max(0, limit))), while: { room > 0 }, read: readRow
    ).sound("a row of batch \(batch) cannot be read")
  }

  func batches(_ query: BatchQuery) throws(SQLiteError) -> BatchPage {
    let most = Value.integer(Int64(query.limit))
    let found: [LedgerBatch]
    switch query {
    case .listed(let search):
      return BatchPage(try batches(by: SQL.batches.newest, .integer(search.from ?? .max), most), for: search)
    case .shown(let batch, from: let serial, limit: _):
      found = try batches(by: SQL.batches.shown, .integer(serial), batch?.uuid.stored ?? .null, most)
    case .cancelled: found = try batches(by: SQL.batches.cancelled)
    case .unfinished(before: let moment, limit: _):
      found = try batches(by: SQL.batches.unfinished, .moment(moment), most)
    case .ready(after: let serial, let limit): found = try readyBatches(after: serial, limit: limit)
    }
    return BatchPage(found, limit: query.limit, place: \.serial)
  }

  /// The name under which everything is paused: no host has it.
  static let nameOfAll = ""

  func shares() throws(SQLiteError) -> KnownShares {
    var pauses: [PauseScope: Pause] = [:]
    for (host, pause) in try statements[.batches.paused].all(read: { ($0.text(at: 0), Pause($0, at: 1)) }) {
      let host = host ?? Self.nameOfAll
      pauses[host == Self.nameOfAll ? .all : .host(host)] = pause
    }
    return KnownShares(try batches(by: SQL.batches.unusual), pauses: pauses)
  }

  func batches(by statement: SQL, _ values: Value...) throws(SQLiteError) -> [LedgerBatch] {
    try statements.batches(by: statement, values)
  }

  private func readyBatches(after serial: Int64, limit: Int) throws(SQLiteError) -> [LedgerBatch] {
    var (found, last) = ([LedgerBatch](), serial)
    while found.count < limit,
      let serial = try statements.integer(.selections.readyBatch, .integer(last))
    {
      let batch = try batches(by: SQL.batches.bySerial, .integer(serial))
      guard !batch.isEmpty else { throw .damaged("batch \(serial) is missing") }
      found += batch
      last = serial
    }
    return found
  }

  func batch(_ id: BatchID) throws(SQLiteError) -> LedgerBatch? {
    try batches(by: SQL.batches.byID, id.uuid.stored).first
  }
}

extension PreparedStatements {
  func batches(by statement: SQL, _ values: [Value]) throws(SQLiteError) -> [LedgerBatch] {
    try self[statement].all(values) { LedgerBatch($0) }.sound("a batch cannot be read")
  }

  func summary(batches limit: Int, of jobs: JobCounts) throws(SQLiteError) -> LedgerSummary {
    let newest = try batches(by: SQL.batches.newest, [.integer(.max), .integer(Int64(max(0, limit)))])
    let count = Int(try integer(.batches.count) ?? 0)
    return LedgerSummary(jobs: jobs, batches: newest, otherBatches: count - newest.count)
  }
}

extension LedgerSummary {
  /// - Parameter changed: In the order in which they came, new ones among them.
  func changed(_ changed: [LedgerBatch], _ jobs: JobCounts, atMost limit: Int) -> LedgerSummary {
    var summary = self
    summary.jobs = jobs
    for batch in changed {
      if let index = summary.batches.firstIndex(where: { $0.serial == batch.serial }) {
        summary.batches[index] = batch
      } else if batch.id.isShown, batch.serial > summary.batches.first?.serial ?? 0 {
        summary.batches.insert(batch, at: 0)
      }
    }
    return summary.first(limit)
  }
}

extension NumberedRow {
  init?(stored row: borrowing Row) {
    guard let place = row.integer(at: 0), let ordinal = row.integer(at: 1), let failure = row.failure(at: 2),
      let json = row.blob(at: 3)
    else { return nil }
    self.init(
      number: UInt64(bitPattern: place & 0xFFFF_FFFF), ordinal: UInt64(bitPattern: ordinal), failure: failure,
      json: json)
  }
}

/// Ready jobs of a batch, block after block, and in each host after host.
extension LedgerStore {
  func readyJobs(_ wish: ReadyWish) throws(SQLiteError) -> ReadyPage {
    guard let batch = try self.batch(wish.batch) else { return ReadyPage() }
    var choice = ReadyChoice(wish)
    var next: ReadyPlace? = wish.from
    while let place = next, !choice.isDone {
      next = try offer(place, of: batch, to: &choice)
    }
    return try choice.page(next: next) { (ids) throws(SQLiteError) in try jobs(ids) }
  }

  /// - Returns: Where it goes on; nil when there is nothing more.
  private func offer(
    _ place: ReadyPlace, of batch: LedgerBatch, to choice: inout ReadyChoice
  ) throws(SQLiteError) -> ReadyPlace? {
    let serial = Value.integer(batch.serial)
    guard let block = try block(of: batch, from: place.block) else { return nil }
    let place = block == place.block ? place : ReadyPlace(block: block)
    var (step, last) = (ReadyChoice.Step.next, place.host)
    var isDamaged = false
    choice.beginBlock()
    _ = try statements[.selections.readyInBlock].all(
      serial, .integer(block), .text(place.host), while: { step == .next && !isDamaged },
      read: { row in
        guard let host = row.text(at: 0), let id = UUIDv7(stored: row.blob(at: 1)) else {
          isDamaged = true
          return
        }
        (step, last) = (choice.offer(JobID(id), of: host), host)
      })
    guard !isDamaged else { throw .damaged("the host of a job cannot be read") }
    return switch step {
    case .next: ReadyPlace(block: block + 1)
    case .skipHost: place.after(last)
    case .stop: ReadyPlace(block: block, host: last)
    }
  }
}

/// How old the oldest open jobs are.
extension LedgerStore {
  /// Batches that are looked into. Those that came later hold younger jobs, so it is seldom more than a few.
  private static let mostBatches = 64

  /// No job is older than its batch, and in each batch the first job of a state is the oldest: ids ascend in the order
  /// of submission.
  func oldestJobs() throws(SQLiteError) -> [JobPhase: Moment] {
    guard summary.jobs.open > 0 else { return [:] }
    var oldest: [JobPhase: Moment] = [:]
    for batch in try batches(by: SQL.batches.open, .integer(Int64(Self.mostBatches))) {
      for phase in JobPhase.open {
        // The batch can have no older one.
        if let known = oldest[phase], batch.firstSubmittedAt >= known { continue }
        guard let moment = try first(phase, of: batch) else { continue }
        oldest[phase] = min(oldest[phase] ?? moment, moment)
      }
    }
    return oldest
  }

  private func first(_ phase: JobPhase, of batch: LedgerBatch) throws(SQLiteError) -> Moment? {
    let query = JobQuery(.of(batch.id), limit: 1)
    let found =
      phase == .ready
      ? try jobs(try readyIDs(of: batch.id, query)) : try read(SQL.selections.inState, query, phase.stored)
    return found.first.flatMap { $0.job.batch == batch.id ? $0.submittedAt : nil }
  }
}
