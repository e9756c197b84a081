import Assembly
import LedgerSQLite
import Pipeline
import PipelineTesting
import Roles
import Testing

@testable import HalyardCLI

/// A run whose ledger fails does not wait longer than it is told to.
@Suite(.timeLimit(.minutes(2)))
struct LedgerWatchTests {
  @Test func `a run gives up a ledger that cannot be read`() async throws {
    let directory = try TemporaryDirectory()
    let ledger = try await SQLiteLedger.open(path: directory.file("jobs.db"))
    // Its first call is a read, so the run never comes to a commit.
    await ledger.close()
    var run = PipelineRun(options: .init())
    run.durable = DurableRun(ledger: ledger, batch: BatchID(UUIDv7(high: 1, low: 1)))
    run.ledgerTimeoutMilliseconds = 300
    await #expect(throws: LedgerError.self) {
      _ = try await run.run(
        ListFeed([JobDraft(kind: .echo, input: "x")]), for: PipelineRun.User(take: { _ in }))
    }
  }
}
