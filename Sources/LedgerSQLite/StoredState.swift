import Pipeline
import SQLite

/// A job's state as the table holds it. Statements name these numbers.
enum StoredState: Int64 {
  case waiting = 1
  case ready = 2
  case leased = 3
  case scheduled = 4
  case done = 5
  case dead = 6
  case cancelled = 7

  init(_ end: JobLife.End) {
    switch end {
    case .done: self = .done
    case .dead: self = .dead
    case .cancelled: self = .cancelled
    }
  }
}

/// The columns of an open job, in the order of the statement that reads them.
struct StoredJob {
  static let columns = "record, deadline, state, token, run_at, attempts, crashes"

  private let record: [UInt8]?
  private let deadline: Int64?
  private let state: Int64?
  private let token: Int64?
  private let runAt: Int64?
  private let attempts: Int64?
  private let crashes: Int64?

  init(_ row: borrowing Row) {
    record = row.blob(at: 0)
    deadline = row.integer(at: 1)
    state = row.integer(at: 2)
    token = row.integer(at: 3)
    runAt = row.integer(at: 4)
    attempts = row.integer(at: 5)
    crashes = row.integer(at: 6)
  }

  func job() throws(SQLiteError) -> Job {
    guard let record, var job = try? JobRecord.decode(record) else {
      throw .damaged("the record of a job cannot be read")
    }
    job.deadline = deadline.map { Moment(unixMilliseconds: $0) }
    return job
  }

  func open() throws(SQLiteError) -> OpenJob {
    let job = try job()
    guard let attempts = attempts.flatMap({ UInt16(exactly: $0) }),
      let crashes = crashes.flatMap({ UInt8(exactly: $0) }), let state = lifeState
    else { throw .damaged("the state of job \(job.id) cannot be read") }
    return OpenJob(job: job, life: JobLife(state: state, attempts: attempts, crashes: crashes))
  }

  private var lifeState: JobLife.State? {
    switch state.flatMap(StoredState.init(rawValue:)) {
    case .waiting: .waiting
    case .ready: .ready
    case .leased: token.map { .leased(LeaseToken(stored: $0)) }
    case .scheduled: runAt.map { .scheduled(Moment(unixMilliseconds: $0)) }
    case .done: .over(.done)
    case .dead: .over(.dead)
    case .cancelled: .over(.cancelled)
    case nil: nil
    }
  }
}

extension LeaseToken {
  /// Tokens are unsigned and the file's integers are not: the bits are kept.
  init(stored: Int64) {
    self.init(UInt64(bitPattern: stored))
  }

  var stored: Int64 { Int64(bitPattern: value) }
}

extension UUIDv7 {
  /// Sixteen bytes in the order that sorts by time.
  var stored: Value {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    for word in [high, low] {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return .blob(bytes)
  }

  init?(stored: [UInt8]?) {
    guard let stored, stored.count == 16 else { return nil }
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: word(stored[..<8]), low: word(stored[8...]))
  }
}
