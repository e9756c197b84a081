import Pipeline
import SQLite

/// Jobs by what is known of them, batch after batch. What is looked at for a page is counted.
extension LedgerStore {
  func jobs(_ search: JobSearch) throws(SQLiteError) -> FoundJobs {
    var looking = Looking(search)
    let hasMore: Bool
    if let batch = search.batch {
      guard let row = try self.batch(batch) else { return FoundJobs() }
      if looking.place.serial != row.serial { looking.place = .init(serial: row.serial, through: nil) }
      hasMore = try look(into: row, &looking)
    } else {
      hasMore = try lookIntoAll(&looking)
    }
    guard !looking.isDamaged else { throw .damaged("a job cannot be read") }
    let found = try looking.found.map { (job) throws(SQLiteError) in try withFailure(try job.known()) }
    return FoundJobs(found, next: hasMore ? looking.place : nil)
  }

  /// - Returns: Whether there may be more.
  private func lookIntoAll(_ looking: inout Looking) throws(SQLiteError) -> Bool {
    while !looking.isDone {
      let found = try batches(by: SQL.batches.upTo, .integer(looking.place.serial))
      guard let batch = found.first else { return false }
      if batch.serial != looking.place.serial { looking.place = .init(serial: batch.serial, through: nil) }
      looking.looked += 1
      if batch.id.isShown, try look(into: batch, &looking) { return true }
      looking.place = .init(serial: batch.serial - 1, through: nil)
    }
    return true
  }

  /// - Returns: Whether there may be more in the batch.
  private func look(into batch: LedgerBatch, _ looking: inout Looking) throws(SQLiteError) -> Bool {
    guard batch.mayHave(looking.search) else { return false }
    let (first, last) = (JobID(batch: batch.id, ordinal: 0), JobID(batch: batch.id, ordinal: .max))
    let place = looking.place.through ?? last
    guard place >= first else { return false }
    if looking.search.wantedKeys == nil, looking.search.phase != .ready {
      return try lookByID(first...place, &looking)
    }
    return try lookIntoBlocks(of: batch, through: place, &looking)
  }

  private func lookByID(_ ids: ClosedRange<JobID>, _ looking: inout Looking) throws(SQLiteError) -> Bool {
    let (least, most) = (ids.lowerBound.uuid.stored, ids.upperBound.uuid.stored)
    let limit = Value.integer(Int64(JobSearch.mostLooked))
    let (statement, state): (SQL, [Value]) =
      switch looking.search.phase {
      case .waiting, .leased, .scheduled:
        (SQL.searches.inState, looking.search.phase.map { [$0.stored] } ?? [])
      case .failed: (SQL.searches.dead, [])
      case .ready, .done, .cancelled, nil: (SQL.searches.byID, [])
      }
    _ = try statements[statement].all(
      [least, most, limit] + state, while: { !looking.isDone }, read: { looking.look(at: $0) })
    return looking.isDone
  }

  /// Jobs that are found by block: one block after another, the last first.
  private func lookIntoBlocks(
    of batch: LedgerBatch, through place: JobID, _ looking: inout Looking
  ) throws(SQLiteError) -> Bool {
    let (keys, serial) = (looking.search.wantedKeys, Value.integer(batch.serial))
    let (previous, jobs) =
      keys == nil
      ? (SQL.searches.readyBlock, SQL.searches.readyInBlock)
      : (SQL.searches.linkBlock, SQL.searches.linksInBlock)
    let range = keys.map { [Value.integer($0.lowerBound), .integer($0.upperBound)] } ?? []
    var place = place
    while !looking.isDone {
      looking.looked += 1
      guard let block = try statements.integer(previous, serial, .integer(place.readyBlock)) else {
        return false
      }
      let (limit, before) = (looking.room, looking.looked)
      _ = try statements[jobs].all(
        [serial, .integer(block), place.uuid.stored, .integer(Int64(limit))] + range,
        read: { looking.look(at: $0) })
      guard looking.looked - before < limit else { return true }
      // All of this block was seen.
      place = JobID(batch: batch.id, startOf: block)
      looking.place.through = place
      guard place >= JobID(batch: batch.id, ordinal: 0) else { return false }
    }
    return true
  }

  private func withFailure(_ job: LedgerJob) throws(SQLiteError) -> LedgerJob {
    var job = job
    if job.life.end == .dead || job.life.end == .cancelled {
      job.failure =
        try statements[.results.failure].first(job.id.uuid.stored) { $0.failure(at: 0) ?? nil } ?? nil
    }
    return job
  }

  func story(of job: JobID) throws(SQLiteError) -> JobStory? {
    let id = job.uuid.stored
    guard let stored = try statements[.jobs.one].first(id, read: { StoredJob($0) }) else { return nil }
    guard let stored else { throw .damaged("job \(job) cannot be read") }
    let attempts = try statements[.results.causes].all(id) { PastAttempt(stored: $0) }
      .sound("why job \(job) failed cannot be read")
    let row = try statements[.results.ofJob].first(id) { NumberedRow(stored: $0) } ?? nil
    return JobStory(history: try withFailure(try stored.known()), attempts: attempts, row: row)
  }
}

/// A page in the making.
private struct Looking {
  let search: JobSearch
  var place: JobSearch.Place
  var looked = 0
  private(set) var found: [StoredJob] = []
  private(set) var isDamaged = false
  private var bytes = 0

  /// Of records that a page reads, but for the last.
  private static let mostBytes = 4 << 20

  init(_ search: JobSearch) {
    self.search = search
    place = search.from ?? JobSearch.Place(serial: .max, through: nil)
  }

  private var limit: Int { max(1, search.limit) }

  /// Jobs that may still be looked at.
  var room: Int { max(1, min(JobSearch.mostLooked - looked, limit - found.count)) }

  var isDone: Bool {
    looked >= JobSearch.mostLooked || found.count >= limit || bytes > Self.mostBytes || isDamaged
  }

  mutating func look(at row: borrowing Row) {
    looked += 1
    guard let job = StoredJob.looked(at: row, for: search) else {
      isDamaged = true
      return
    }
    place.through = job.id.predecessor
    guard let wanted = job.found else { return }
    found.append(wanted)
    bytes += wanted.recordBytes
  }
}

extension PastAttempt {
  /// nil when the row makes no sense.
  fileprivate init?(stored row: borrowing Row) {
    guard let attempt = row.integer(at: 0).flatMap(UInt16.init(exactly:)), let failedAt = row.moment(at: 1),
      let record = row.blob(at: 2)
    else { return nil }
    self.init(attempt: attempt, endedAt: failedAt, failure: nil)
    if !record.isEmpty {
      guard let failure = try? FailureRecord.decode(record) else { return nil }
      self.failure = failure
    }
    worker = UUIDv7(stored: row.blob(at: 3)).map { WorkerID($0) }
    (grantedAt, nextAt) = (row.moment(at: 4), row.moment(at: 5))
  }
}

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
