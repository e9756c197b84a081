import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Single jobs are cancelled wherever they wait.
@Suite(.timeLimit(.minutes(10)))
struct UnseenCancelTests {
  private let batch = BatchID(UUIDv7(high: 2, low: 1))

  @Test func `a cancelled job of which memory knows nothing has its row, and its neighbours none`()
    async throws
  {
    let jobs = (0..<2_000).map {
      Job(batch: batch, ordinal: $0, kind: .unfurl, input: "http://slow.test/\($0)")
    }
    let submits = stride(from: 0, to: jobs.count, by: 250).map { start in
      Message.submit(
        Submit(
          batch: batch, sequence: UInt32(start / 250), replyTo: Address("inproc://producer"),
          jobs: Array(jobs[start..<start + 250])))
    }
    let wanted: [UInt64] = [0, 1, 700, 701, 702, 1_500, 1_999, 5_000]
    let cancel = Message.cancel(Cancel(.jobs(of: batch, wanted), cause: "nobody wants it"))
    var settings = AggregatorSettings()
    settings.mostInMemory = 100
    let ledger = MemoryLedger()
    let inbox = ScriptedInbox(Address("inproc://aggregator"), [submits, [], [cancel], []])
    let ports = RolePorts(
      transport: RecordingTransport(), clock: ManualClock(isStepping: true), random: .seeded(1))
    let aggregator = Aggregator(settings: settings, inbox: inbox, ledger: ledger, ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
    let rows = try await ledger.rows(of: batch, after: 0, limit: 99, bytes: .max).map { try Row($0) }
    #expect(rows.count == 7)
    #expect(rows.allSatisfy { $0["error.message"] == "cancelled: nobody wants it" })
    let open = await ledger.openJobs().map(\.job.ordinal)
    #expect(open == (0..<2_000).filter { !wanted.contains($0) })
  }
}
