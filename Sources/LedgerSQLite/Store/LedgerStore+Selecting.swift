import Pipeline
import SQLite

/// Pages of jobs by what they wait for.
extension LedgerStore {
  func openJobs(_ which: JobSelection, after id: JobID?, limit: Int) throws(SQLiteError) -> [OpenJob] {
    let from = Self.leastID(after: id)
    let most = Value.integer(Int64(max(0, limit)))
    switch which {
    case .all: return try open(from, Self.beyondAllIDs, ready: try readyIDs(after: id, limit), most)
    case .of(let batch):
      return try open(
        Self.leastID(of: batch, after: id), Self.greatestID(of: batch),
        ready: try readyIDs(of: batch, after: id, limit), most)
    case .waiting: return try jobs(in: .waiting, from, most)
    case .ready: return try jobs(try readyIDs(after: id, limit))
    case .leased: return try jobs(in: .leased, from, most)
    case .scheduled(let moment):
      return try Self.opened(
        try statements[.selections.due].all(from, most, .integer(moment.unixMilliseconds)) { StoredJob($0) })
    case .overdue(let moment):
      return try Self.opened(
        try statements[.selections.overdue].all(from, most, .integer(moment.unixMilliseconds)) {
          StoredJob($0)
        })
    }
  }

  func openJobs(_ ids: [JobID]) throws(SQLiteError) -> [OpenJob] {
    var found: [StoredJob?] = []
    for id in ids {
      found += try statements[.selections.openOne].all(id.uuid.stored) { StoredJob($0) }
    }
    return try Self.opened(found)
  }

  private func jobs(in state: JobPhase, _ from: Value, _ limit: Value) throws(SQLiteError) -> [OpenJob] {
    try Self.opened(
      try statements[.selections.inState].all(from, limit, state.stored) { StoredJob($0) })
  }

  static func opened(_ stored: [StoredJob?]) throws(SQLiteError) -> [OpenJob] {
    try stored.sound("a job cannot be read").map { (job) throws(SQLiteError) in try job.open() }
  }

  /// Those that are ready, and those in other states, of which there is an index each.
  private func open(
    _ from: Value, _ last: Value, ready: [JobID], _ limit: Value
  ) throws(SQLiteError) -> [OpenJob] {
    guard case .integer(let most) = limit else { return [] }
    let others = try Self.ids(try statements[.selections.open].all(from, limit, last) { $0.blob(at: 0) })
    return try jobs(Array((ready + others).sorted().prefix(Int(most))))
  }

  func jobs(_ ids: [JobID]) throws(SQLiteError) -> [OpenJob] {
    var found: [StoredJob?] = []
    found.reserveCapacity(ids.count)
    for id in ids {
      guard let stored = try statements[.searches.one].first(id.uuid.stored, read: { StoredJob($0) }) else {
        throw .damaged("job \(id) is in an index and not in its table")
      }
      found.append(stored)
    }
    return try Self.opened(found)
  }

  static func ids(_ stored: [[UInt8]?]) throws(SQLiteError) -> [JobID] {
    try stored.map { UUIDv7(stored: $0) }.sound("the id of a job cannot be read").map { JobID($0) }
  }

  /// Sorts after every id, of which each has sixteen bytes.
  static let beyondAllIDs = Value.blob(Array(repeating: 0xFF, count: 17))

  static func leastID(after id: JobID?) -> Value {
    id?.uuid.storedSuccessor ?? .blob([])
  }

  /// Ids of a batch are a range, see `JobID`.
  private static func leastID(of batch: BatchID, after id: JobID?) -> Value {
    let first = JobID(batch: batch, ordinal: 0)
    guard let id, id >= first else { return first.uuid.stored }
    return id.uuid.storedSuccessor
  }

  private static func greatestID(of batch: BatchID) -> Value {
    JobID(batch: batch, ordinal: .max).uuid.stored
  }
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
    jobs.ready = Int(try self[.selections.readyCount].first { $0.integer(at: 0) ?? 0 } ?? 0)
    jobs.dead = Int(try self[.selections.deadCount].first { $0.integer(at: 0) ?? 0 } ?? 0)
    return jobs
  }
}
