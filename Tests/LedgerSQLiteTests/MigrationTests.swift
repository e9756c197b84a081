import Pipeline
import SQLite
import Testing

@testable import LedgerSQLite

/// Files of older versions.
@Suite(.timeLimit(.minutes(10)))
struct MigrationTests {
  @Test func `a file of the first schema opens, and its batches have no terms yet`() async throws {
    let file = try LedgerFileFixture()
    try writeFirstSchema(file)
    let ledger = try await file.open()
    var batch = try #require(try await ledger.summary(batches: 1).batches.first)
    #expect(batch.id == file.batch)
    #expect(batch.progress == BatchProgress(total: 7, rows: 0, settled: 0))
    #expect(batch.terms == BatchTerms())
    #expect(batch.firstSubmittedAt == nil)
    #expect(try await ledger.shares() == KnownShares())
    let terms = BatchTerms(name: "monday")
    #expect(
      try await ledger.commit([.terms(file.batch, terms), .pause(.batch(file.batch))], at: file.now)
        == [.terms(terms, isPaused: false), .applied])
    await ledger.close()
    let again = try await file.open()
    batch = try #require(try await again.summary(batches: 1).batches.first)
    #expect(batch.terms == terms)
    #expect(batch.isPaused)
    await again.close()
  }

  private func writeFirstSchema(_ file: LedgerFileFixture) throws {
    let connection = try Connection(path: file.path)
    try connection.execute(Schema.migrations[0])
    try connection.execute(
      """
      PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 1;
      INSERT INTO batch (id, total, changed_at) VALUES (X'\(hex(file.batch.uuid))', 7, 1)
      """)
  }

  private func hex(_ id: UUIDv7) -> String { id.description.filter { $0 != "-" } }
}
