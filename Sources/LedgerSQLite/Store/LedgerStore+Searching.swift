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
      hasMore = try look(into: row, batch, &looking)
    } else {
      hasMore = try lookIntoAll(&looking)
    }
    return FoundJobs(try looking.found.map(withFailure), next: hasMore ? looking.place : nil)
  }

  /// - Returns: Whether there may be more.
  private func lookIntoAll(_ looking: inout Looking) throws(SQLiteError) -> Bool {
    while !looking.isDone {
      let read = try statements[.searches.batch].all(.integer(looking.place.serial), read: BatchRow.withID)
      guard let (row, id) = try read.sound("a batch cannot be read").first else { return false }
      if row.serial != looking.place.serial { looking.place = .init(serial: row.serial, through: nil) }
      looking.looked += 1
      if id.isShown, try look(into: row, id, &looking) { return true }
      looking.place = .init(serial: row.serial - 1, through: nil)
    }
    return true
  }

  /// - Returns: Whether there may be more in the batch.
  private func look(
    into batch: BatchRow, _ id: BatchID, _ looking: inout Looking
  ) throws(SQLiteError) -> Bool {
    guard batch.mayHave(looking.search) else { return false }
    let (first, last) = (JobID(batch: id, ordinal: 0), JobID(batch: id, ordinal: .max))
    let place = looking.place.through ?? last
    guard place >= first else { return false }
    if looking.search.wantedKeys == nil, looking.search.phase != .ready {
      return try lookByID(first...place, &looking)
    }
    return try lookIntoBlocks(of: batch, id, through: place, &looking)
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
    let steps = try statements[statement].all(
      [least, most, limit] + state, while: { !looking.isDone }, read: { looking.looks(at: $0) })
    try looking.take(steps)
    return looking.isDone
  }

  /// Jobs that are found by block: one block after another, the last first.
  private func lookIntoBlocks(
    of batch: BatchRow, _ id: BatchID, through place: JobID, _ looking: inout Looking
  ) throws(SQLiteError) -> Bool {
    let (keys, serial) = (looking.search.wantedKeys, Value.integer(batch.serial))
    var place = place
    while !looking.isDone {
      looking.looked += 1
      let previous = keys == nil ? SQL.searches.readyBlock : SQL.searches.linkBlock
      let block =
        try statements[previous].first(serial, .integer(place.readyBlock)) { $0.integer(at: 0) } ?? nil
      guard let block else { return false }
      let (last, limit) = (place.uuid.stored, looking.room)
      let most = Value.integer(Int64(limit))
      let steps: [Looking.Step]
      if let keys {
        steps = try statements[.searches.linksInBlock].all(
          serial, .integer(block), last, most, .integer(keys.lowerBound), .integer(keys.upperBound),
          read: { looking.looks(at: $0) })
      } else {
        steps = try statements[.searches.readyInBlock].all(
          serial, .integer(block), last, most, read: { looking.looks(at: $0) })
      }
      try looking.take(steps)
      guard steps.count < limit else { return true }
      // All of this block was seen.
      place = JobID(batch: id, startOf: block)
      looking.place.through = place
      guard place >= JobID(batch: id, ordinal: 0) else { return false }
    }
    return true
  }

  private func failure(of job: JobID) throws(SQLiteError) -> FailureKind? {
    let name = try statements[.searches.failure].first(job.uuid.stored) { $0.text(at: 0) } ?? nil
    return name.flatMap(FailureKind.init(rawValue:))
  }

  private func withFailure(_ job: LedgerJob) throws(SQLiteError) -> LedgerJob {
    var job = job
    if job.life.end == .dead || job.life.end == .cancelled { job.failure = try failure(of: job.id) }
    return job
  }

  func story(of job: JobID) throws(SQLiteError) -> JobStory? {
    let id = job.uuid.stored
    guard let stored = try statements[.searches.one].first(id, read: { StoredJob($0) }) else { return nil }
    guard let stored else { throw .damaged("job \(job) cannot be read") }
    let attempts = try statements[.results.causes].all(id) { PastAttempt(stored: $0) }
      .sound("why job \(job) failed cannot be read")
    let row = try statements[.searches.row].first(id) { NumberedRow(stored: $0) } ?? nil
    return JobStory(history: try withFailure(try stored.known()), attempts: attempts, row: row)
  }
}

/// A page in the making.
private struct Looking {
  /// A job that was looked at, without its history when it is not looked for; nil when it cannot be read.
  typealias Step = (id: JobID, found: StoredJob?)?

  let search: JobSearch
  var place: JobSearch.Place
  var looked = 0
  private(set) var found: [LedgerJob] = []
  private var taken = 0
  private var bytes = 0

  /// Of records that a page reads, but for the last.
  private static let mostBytes = 4 << 20

  init(_ search: JobSearch) {
    self.search = search
    place = search.from ?? JobSearch.Place(serial: .max, through: nil)
  }

  private var limit: Int { max(1, search.limit) }

  /// Jobs that may still be looked at.
  var room: Int { max(1, min(JobSearch.mostLooked - looked, limit - taken)) }

  var isDone: Bool { looked >= JobSearch.mostLooked || taken >= limit || bytes > Self.mostBytes }

  mutating func looks(at row: borrowing Row) -> Step {
    looked += 1
    let step = StoredJob.looked(at: row, for: search)
    if let found = step?.found {
      taken += 1
      bytes += found.recordBytes
    }
    return step
  }

  mutating func take(_ steps: [Step]) throws(SQLiteError) {
    for step in steps {
      guard let step else { throw .damaged("a job cannot be read") }
      place.through = step.id.predecessor
      if let stored = step.found { found.append(try stored.known()) }
    }
  }
}

extension BatchRow {
  /// Whether a search can find something in it, as far as its counters tell.
  fileprivate func mayHave(_ search: JobSearch) -> Bool {
    if let since = search.since, counters.submittedAt < since { return false }
    if let kind = search.kind, !mayHave(kind) { return false }
    return switch search.phase {
    case nil: true
    case .waiting, .ready, .leased, .scheduled: counters.open > 0
    case .done: counters.progress.done > 0
    case .failed: counters.progress.failed > 0
    case .cancelled: counters.progress.cancelled > 0
    }
  }
}

extension PastAttempt {
  /// nil when the row makes no sense.
  fileprivate init?(stored row: borrowing Row) {
    guard let attempt = row.integer(at: 0).flatMap(UInt16.init(exactly:)), let failedAt = row.integer(at: 1),
      let record = row.blob(at: 2)
    else { return nil }
    self.init(attempt: attempt, endedAt: Moment(unixMilliseconds: failedAt), failure: nil)
    if !record.isEmpty {
      guard let failure = try? FailureRecord.decode(record) else { return nil }
      self.failure = failure
    }
    worker = UUIDv7(stored: row.blob(at: 3)).map { WorkerID($0) }
    grantedAt = row.integer(at: 4).map { Moment(unixMilliseconds: $0) }
    nextAt = row.integer(at: 5).map { Moment(unixMilliseconds: $0) }
  }
}
