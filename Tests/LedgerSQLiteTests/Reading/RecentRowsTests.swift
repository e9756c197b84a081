import Pipeline
import PipelineTesting
import SQLite
import Testing

@testable import LedgerSQLite

/// Who follows a batch has its rows from memory.
@Suite(.timeLimit(.minutes(10)))
struct RecentRowsTests {
  private let batch = BatchID(UUIDv7(high: 1, low: 1 << 63))

  private func rows(_ numbers: ClosedRange<UInt64>, bytes: Int = 3) -> [NumberedRow] {
    numbers.map {
      NumberedRow(number: $0, ordinal: $0, failure: nil, json: Array(repeating: 120, count: bytes))
    }
  }

  @Test func `rows that were just committed are not read from the file`() async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    let jobs = file.jobs(4)
    _ = try await ledger.commit(
      [.submit(jobs)] + jobs.prefix(3).map { .settle(file.end(of: $0)) }, at: file.now)
    try await ledger.use("write") { store in
      try store.connection.execute("DELETE FROM result WHERE ordinal > 0")
    }
    let read = try await ledger.rows(of: jobs[0].batch, after: 1, limit: 10, bytes: 1 << 20)
    #expect(read.map(\.ordinal) == [1, 2])
    #expect(try await ledger.rows(of: jobs[0].batch, after: 3, limit: 10, bytes: 1 << 20) == [])
  }

  @Test func `a row that was deleted is not there any more`() async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    let job = file.jobs(1)[0]
    let dead = Settlement(of: job, lease: nil, end: .dead, failure: .dns, row: Array("row".utf8))
    _ = try await ledger.commit([.submit([job]), .settle(dead)], at: file.now)
    _ = try await ledger.commit([.requeue(job.id)], at: file.now)
    #expect(try await ledger.rows(of: job.batch, after: 0, limit: 10, bytes: 1 << 20) == [])
  }

  @Test func `only a reader who is close behind is answered`() {
    var recent = RecentRows()
    #expect(recent.rows(of: batch, after: 0, limit: 10, bytes: 100) == nil)
    recent.take([batch: rows(5...7)])
    recent.take([batch: rows(8...9)])
    #expect(recent.rows(of: batch, after: 3, limit: 10, bytes: 100) == nil)
    #expect(recent.rows(of: batch, after: 4, limit: 10, bytes: 100) == rows(5...9))
    #expect(recent.rows(of: batch, after: 7, limit: 1, bytes: 100) == rows(8...8))
    #expect(recent.rows(of: batch, after: 4, limit: 10, bytes: 4) == rows(5...6))
    #expect(recent.rows(of: batch, after: 12, limit: 10, bytes: 100) == [])
    recent.take(nil)
    #expect(recent.rows(of: batch, after: 7, limit: 10, bytes: 100) == nil)
  }

  @Test func `it holds no more than it may`() {
    var recent = RecentRows()
    recent.take([batch: rows(1...4, bytes: 1 << 20)])
    #expect(recent.rows(of: batch, after: 3, limit: 9, bytes: 1)?.count == 1)
    recent.take([batch: rows(5...5)])
    #expect(recent.rows(of: batch, after: 3, limit: 9, bytes: 1) == nil)
  }
}
