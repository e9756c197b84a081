import Pipeline
import PipelineTesting
import Posix
import SQLite
import Testing

@testable import LedgerSQLite

/// What the file takes, and how it gets smaller.
@Suite(.timeLimit(.minutes(10)))
struct SpaceTests {
  private let file: LedgerFileFixture

  init() throws {
    file = try LedgerFileFixture()
  }

  private func fill(_ ledger: SQLiteLedger, _ count: UInt64 = 20_000) async throws {
    let jobs = file.jobs(count)
    let row = #"{"status":"ok","title":"\#(String(repeating: "t", count: 200))"}"#
    _ = try await ledger.commit(
      [.submit(jobs), .close(file.batch, total: count)] + jobs.map { .settle(file.end(of: $0, row: row)) },
      at: file.now)
  }

  private func prune(_ ledger: SQLiteLedger) async throws {
    _ = try await ledger.forget(
      .old(unreadBefore: file.now.advanced(byMilliseconds: 1)), before: file.now.advanced(byMilliseconds: 1),
      limit: .max)
  }

  private func bytes() throws -> Int { try Descriptor.reading(path: file.path).size ?? 0 }

  @Test func `the file is small again when its jobs are forgotten and their room is given back`() async throws
  {
    let ledger = try await file.open()
    try await fill(ledger, 40_000)
    let full = try await ledger.size()
    // What was committed last is in the log alone.
    #expect((1...full[.data] + full[.free]).contains(Int64(try bytes())))
    #expect(full.bytes == full[.data] + full[.free] + full[.log] + full[.reserve])
    try await prune(ledger)
    #expect(try await ledger.size()[.free] > full[.data] / 2)
    var (steps, step) = (0, FileStep(bytes: 0, total: 1))
    while step.total > 0 {
      step = try await ledger.shrink(bytes: 1 << 20)
      #expect(step.bytes <= 1 << 20)
      steps += 1
    }
    #expect(steps > 5)
    let small = try await ledger.size()
    #expect(small[.free] == 0 && small[.log] == 0)
    #expect(small[.data] < full[.data] / 100)
    await ledger.close()
    #expect(try bytes() == Int(small[.data]))
  }

  @Test func `free room is worth giving back when it is much, and a quarter of the file`() {
    func size(free: Int64, used: Int64) -> Bool {
      LedgerSize(parts: [.free: free << 20, .data: used << 20]).isWorthShrinking
    }
    #expect(size(free: 65, used: 100))
    #expect(!size(free: 63, used: 0))
    #expect(!size(free: 100, used: 1_000))
  }
}
