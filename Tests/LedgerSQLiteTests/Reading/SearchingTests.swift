import Pipeline
import PipelineTesting
import Testing

@testable import LedgerSQLite

/// How much of the ledger a search looks at.
@Suite(.timeLimit(.minutes(10)))
struct SearchingTests {
  @Test func `a search for a kind passes over batches that have none of it`() async throws {
    let file = try LedgerFileFixture()
    let ledger = try await file.open()
    let rare = Job(batch: BatchID(.sample(1)), ordinal: 0, kind: .decode, input: "http://a.test/")
    let others = (0..<UInt64(JobSearch.mostLooked) + 1).map {
      Job(batch: BatchID(.sample(2)), ordinal: $0, kind: .title, input: "http://a.test/\($0)")
    }
    _ = try await ledger.commit([.submit([rare]), .submit(others)], at: file.now)
    var search = JobSearch()
    search.kind = .decode
    #expect(try await ledger.jobs(search).items.map(\.job.id) == [rare.id])
    search.kind = .echo
    let none = try await ledger.jobs(search)
    #expect(none.items.isEmpty && none.next == nil)
    await ledger.close()
  }
}

extension UUIDv7 {
  fileprivate static func sample(_ number: UInt64) -> UUIDv7 {
    UUIDv7(high: 0x0199_0000_0000_7000, low: 0x8000_0000_0000_0000 | number << 40)
  }
}
