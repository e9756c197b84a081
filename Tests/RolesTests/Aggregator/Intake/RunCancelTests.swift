import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// A run that is cancelled before it has begun.
@Suite(.timeLimit(.minutes(10)))
struct RunCancelTests {
  private let batch = BatchID(UUIDv7(high: 2, low: 1))

  private var submit: Submit {
    var job = Job(batch: batch, ordinal: 0, kind: .run, input: "mine.json")
    job.reading.recipe = #"{"steps": {"a": {"call": "http://a.test/"}}, "output": "$a"}"#
    return Submit(batch: batch, sequence: 1, replyTo: Address("inproc://producer"), jobs: [job], total: 1)
  }

  private func cancel(_ ordinal: UInt64) -> Message {
    .cancel(Cancel(.jobs(of: batch, [ordinal]), cause: "nobody wants it"))
  }

  private func run(
    _ messages: [[Message]], on ledger: MemoryLedger = MemoryLedger()
  ) async throws -> MemoryLedger {
    let transport = RecordingTransport()
    let inbox = ScriptedInbox(Address("inproc://aggregator"), messages)
    let ports = RolePorts(transport: transport, clock: ManualClock(isStepping: true), random: .seeded(1))
    let aggregator = Aggregator(settings: AggregatorSettings(), inbox: inbox, ledger: ledger, ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
    return ledger
  }

  @Test(arguments: [true, false])
  func `it ends where it would begin, whenever it is cancelled`(inSameTurn: Bool) async throws {
    let messages = [.submit(submit), cancel(0)]
    let ledger = try await run((inSameTurn ? [messages] : messages.map { [$0] }) + [[], []])
    let row = try await Row(#require(ledger.rows(of: batch, after: 0, limit: 9, bytes: .max).first))
    #expect(row["status"] == "cancelled")
    #expect(row["error.message"] == "cancelled: nobody wants it")
    #expect(await ledger.openJobs().isEmpty)
  }

  @Test func `its calls end with it when it was cancelled, and the aggregator that made them is gone`()
    async throws
  {
    let ledger = try await run([[.submit(submit)], [], []])
    let run = JobID(batch: batch, ordinal: 0)
    #expect(await ledger.progress(of: .calls(of: run, life: 0))?.isComplete == false)
    let cancellation = BatchCancellation(cause: "nobody wants it", everything: true)
    _ = try await ledger.commit([.cancel(batch, cancellation)], at: ManualClock(isStepping: true).now)
    _ = try await self.run([[], []], on: ledger)
    #expect(await ledger.openJobs().isEmpty)
    #expect(await ledger.progress(of: .calls(of: run, life: 0))?.isComplete == true)
    let row = try await Row(#require(ledger.rows(of: batch, after: 0, limit: 9, bytes: .max).first))
    #expect(row["error.message"] == "cancelled: nobody wants it")
  }

  @Test func `another one goes on`() async throws {
    let ledger = try await run([[.submit(submit), cancel(1)], [], []])
    #expect(await ledger.rows(of: batch, after: 0, limit: 9, bytes: .max).isEmpty)
    #expect(await ledger.page(JobQuery(.ready)).items.count == 1)
  }
}
