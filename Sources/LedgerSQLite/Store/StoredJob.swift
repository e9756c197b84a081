import Pipeline
import SQLite

/// The columns of an open job, in the order of the statement that reads them.
struct StoredJob {
  static let columns = "record, deadline, state, token, run_at, attempts, crashes, worker, host, id"

  private let record: [UInt8]?
  private let deadline: Int64?
  private let state: Int64?
  private let token: Int64?
  private let runAt: Int64?
  private let attempts: Int64?
  private let crashes: Int64?
  private let worker: [UInt8]?
  let host: String
  private let id: [UInt8]?

  init(_ row: borrowing Row) {
    record = row.blob(at: 0)
    deadline = row.integer(at: 1)
    state = row.integer(at: 2)
    token = row.integer(at: 3)
    runAt = row.integer(at: 4)
    attempts = row.integer(at: 5)
    crashes = row.integer(at: 6)
    worker = row.blob(at: 7)
    host = row.text(at: 8) ?? ""
    id = row.blob(at: 9)
  }

  func job() throws(SQLiteError) -> Job {
    guard let record, let id = UUIDv7(stored: id).map(JobID.init),
      var job = try? JobRecord.decode(record, of: id)
    else {
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
    var open = OpenJob(
      job: job, life: JobLife(state: state, attempts: attempts, crashes: crashes),
      holder: UUIDv7(stored: worker).map { WorkerID($0) })
    open.host = host
    return open
  }

  private var lifeState: JobLife.State? {
    state.flatMap(StoredState.init(rawValue:))?.life(token: token, runAt: runAt)
  }
}
