import LedgerSQLite
import Pipeline
import PipelineTesting

/// A ledger file of a test's own, with one batch for it.
struct LedgerFileFixture {
  let directory: TemporaryDirectory
  let batch = BatchID(UUIDv7(at: Moment(unixMilliseconds: 1_000), uniqueHigh: 1, uniqueLow: 2))
  let worker = WorkerID(UUIDv7(high: 0x7000, low: 1 << 63))
  let now = Moment(unixMilliseconds: 1_700_000_000_000)

  init() throws {
    directory = try TemporaryDirectory()
  }

  var path: String { directory.file("jobs.ledger") }

  func open() async throws -> SQLiteLedger {
    try await SQLiteLedger.open(path: path)
  }

  func jobs(_ count: UInt64, from first: UInt64 = 0) -> [Job] {
    (first..<first + count).map { ordinal in
      Job(batch: batch, ordinal: ordinal, kind: .title, input: "http://a.test/\(ordinal)")
    }
  }

  func end(of job: Job, failure: FailureKind? = nil, row: String = "{}") -> Settlement {
    Settlement(
      of: job, lease: nil, end: failure == nil ? .done : .dead, failure: failure, row: Array(row.utf8))
  }
}
