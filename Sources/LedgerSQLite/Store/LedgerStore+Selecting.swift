import Pipeline
import SQLite

/// Pages of jobs by what they wait for.
extension LedgerStore {
  func page(_ query: JobQuery) throws(SQLiteError) -> JobPage {
    let jobs: [LedgerJob]
    switch query.what {
    case .waiting: jobs = try read(SQL.selections.inState, query, JobPhase.waiting.stored)
    case .leased: jobs = try read(SQL.selections.inState, query, JobPhase.leased.stored)
    case .due(let moment): jobs = try read(SQL.selections.due, query, .moment(moment))
    case .overdue(let moment): jobs = try read(SQL.selections.overdue, query, .moment(moment))
    case .ready: jobs = try self.jobs(try readyIDs(query))
    case .of(let batch): jobs = try self.jobs(try openIDs(of: batch, query))
    case .atHost(let host, let batch): return try page(atHost: host, of: batch, query)
    case .ids(let ids): return JobPage(try known(ids).filter { !$0.life.isOver })
    }
    return JobPage(jobs, limit: query.limit, place: \.id)
  }

  func read(_ statement: SQL, _ query: JobQuery, _ value: Value) throws(SQLiteError) -> [LedgerJob] {
    try jobs(by: statement, [Self.place(query.start), query.most, value])
  }

  /// Those that are ready, and those in other states, of which there is an index each.
  private func openIDs(of batch: BatchID, _ query: JobQuery) throws(SQLiteError) -> [JobID] {
    let last = query.end?.uuid.stored ?? .null
    let others = try Self.ids(
      try statements[.selections.open].all(Self.place(query.start), query.most, last) { $0.blob(at: 0) })
    return Array((try readyIDs(of: batch, query) + others).sorted().prefix(query.limit))
  }

  private func known(_ ids: [JobID]) throws(SQLiteError) -> [LedgerJob] {
    var found: [LedgerJob] = []
    found.reserveCapacity(ids.count)
    for id in ids { found += try jobs(by: SQL.jobs.one, [id.uuid.stored]) }
    return found
  }

  func jobs(by statement: SQL, _ values: [Value]) throws(SQLiteError) -> [LedgerJob] {
    let stored = try statements[statement].all(values) { StoredJob($0) }.sound("a job cannot be read")
    return try stored.map { (job) throws(SQLiteError) in try job.known() }
  }

  /// Of ids that stand in an index.
  func jobs(_ ids: [JobID]) throws(SQLiteError) -> [LedgerJob] {
    let jobs = try known(ids)
    guard jobs.count == ids.count else { throw .damaged("a job is in an index and not in its table") }
    return jobs
  }

  private static func ids(_ stored: [[UInt8]?]) throws(SQLiteError) -> [JobID] {
    try stored.map { UUIDv7(stored: $0) }.sound("the id of a job cannot be read").map { JobID($0) }
  }

  /// Sorts before every id when there is none.
  private static func place(_ id: JobID?) -> Value { id?.uuid.stored ?? .blob([]) }

  /// Ids of ready jobs of all batches, in their order.
  private func readyIDs(_ query: JobQuery) throws(SQLiteError) -> [JobID] {
    var (found, query) = ([JobID](), query)
    for batch in try batches(.ready(after: 0, limit: .max)).items.map(\.id).sorted() {
      guard query.limit > 0 else { break }
      let ids = try readyIDs(of: batch, query)
      found += ids
      query.limit -= ids.count
    }
    return found
  }

  /// Ids of ready jobs of one batch, from the one after an id, which may be of an earlier batch.
  func readyIDs(of batch: BatchID, _ query: JobQuery) throws(SQLiteError) -> [JobID] {
    guard let serial = try self.batch(batch)?.serial else { return [] }
    let last = query.after.flatMap { $0 < JobID(batch: batch, ordinal: 0) ? nil : $0 }
    if let last, last >= JobID(batch: batch, ordinal: .max) { return [] }
    return try Self.ids(
      try statements[.selections.ready].all(
        Self.place(last), query.most, .integer(serial), .integer(last?.readyBlock ?? 0)
      ) { $0.blob(at: 0) })
  }

  private func page(
    atHost host: String, of batch: BatchID, _ query: JobQuery
  ) throws(SQLiteError) -> JobPage {
    guard let row = try self.batch(batch) else { return JobPage() }
    var page = JobPage()
    let isOfEarlier = query.after.map { $0 < JobID(batch: batch, ordinal: 0) } ?? true
    var (from, looked) = (isOfEarlier ? 0 : query.after?.readyBlock ?? 0, 0)
    while let block = try block(of: row, from: from) {
      // Blocks before this one have nothing more of the host.
      page.next = [query.start, JobID(batch: batch, startOf: block)].compactMap(\.self).max()
      guard page.items.count < query.limit, looked < JobQuery.mostBlocks else { return page }
      page.items += try jobs(
        by: SQL.selections.readyAtHost,
        [
          .integer(row.serial), .integer(block), .text(host), Self.place(query.after),
          .integer(Int64(query.limit - page.items.count)),
        ])
      if page.items.count >= query.limit {
        page.next = page.items.last?.id ?? page.next
        return page
      }
      (from, looked) = (block + 1, looked + 1)
    }
    page.next = nil
    return page
  }

  func block(of batch: LedgerBatch, from block: Int64) throws(SQLiteError) -> Int64? {
    try statements.integer(.selections.readyBlock, .integer(batch.serial), .integer(block))
  }
}

extension JobQuery {
  fileprivate var most: Value { .integer(Int64(limit)) }
}

extension PreparedStatements {
  func countedJobs() throws(SQLiteError) -> JobCounts {
    var jobs = JobCounts()
    for case (let state?, let count?) in try self[.selections.counts].all(
      read: { ($0.integer(at: 0), $0.integer(at: 1)) })
    {
      guard let state = JobPhase(stored: state) else { throw .damaged("a job has no known state") }
      jobs.add(Int(count), in: state)
    }
    return jobs
  }
}
