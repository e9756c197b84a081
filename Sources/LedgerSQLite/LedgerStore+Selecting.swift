import Pipeline
import SQLite

/// Pages of jobs by what they wait for.
extension LedgerStore {
  func openJobs(_ which: JobSelection, after id: JobID?, limit: Int) throws(SQLiteError) -> [OpenJob] {
    let selections = statements.selections
    let from = Self.leastID(after: id)
    let limit = Value.integer(Int64(max(0, limit)))
    let stored =
      switch which {
      case .all: try selections.open.all(from, limit, Self.beyondAllIDs) { StoredJob($0) }
      case .of(let batch):
        try selections.open.all(Self.leastID(of: batch, after: id), limit, Self.greatestID(of: batch)) {
          StoredJob($0)
        }
      case .waiting: try jobs(in: .waiting, from, limit)
      case .ready: try jobs(in: .ready, from, limit)
      case .readyOf(let batch):
        try jobs(in: .ready, Self.leastID(of: batch, after: id), limit, through: Self.greatestID(of: batch))
      case .leased: try jobs(in: .leased, from, limit)
      case .scheduled(let moment):
        try selections.due.all(from, limit, .integer(moment.unixMilliseconds)) { StoredJob($0) }
      case .overdue(let moment):
        try selections.overdue.all(from, limit, .integer(moment.unixMilliseconds)) { StoredJob($0) }
      }
    return try stored.map { (job) throws(SQLiteError) in try job.open() }
  }

  private func jobs(
    in state: StoredState, _ from: Value, _ limit: Value, through last: Value = beyondAllIDs
  ) throws(SQLiteError) -> [StoredJob] {
    try statements.selections.inState.all(from, limit, .integer(state.rawValue), last) { StoredJob($0) }
  }

  func deadJobs(of batch: BatchID?, after id: JobID?, limit: Int) throws(SQLiteError) -> [JobID] {
    let from = batch.map { Self.leastID(of: $0, after: id) } ?? Self.leastID(after: id)
    let through = batch.map { Self.greatestID(of: $0) } ?? Self.beyondAllIDs
    let stored = try statements.selections.dead.all(from, .integer(Int64(max(0, limit))), through) {
      UUIDv7(stored: $0.blob(at: 0))
    }
    return try stored.map { (id) throws(SQLiteError) in
      guard let id else { throw .damaged("the id of a dead letter cannot be read") }
      return JobID(id)
    }
  }

  /// Sorts after every id, of which each has sixteen bytes.
  private static let beyondAllIDs = Value.blob(Array(repeating: 0xFF, count: 17))

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

extension SelectionStatements {
  func counted() throws(SQLiteError) -> JobCounts {
    var jobs = JobCounts()
    for case (let state?, let count?) in try counts.all(read: { ($0.integer(at: 0), $0.integer(at: 1)) }) {
      guard let state = StoredState(rawValue: state) else { throw .damaged("a job has no known state") }
      jobs.add(Int(count), in: state)
    }
    jobs.dead = Int(try deadCount.first { $0.integer(at: 0) ?? 0 } ?? 0)
    return jobs
  }
}
