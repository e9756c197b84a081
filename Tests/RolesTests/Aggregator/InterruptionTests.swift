import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// How long it is remembered that a batch was ended early.
@Suite(.timeLimit(.minutes(1)))
struct InterruptionTests {
  private let batch = BatchID(UUIDv7(high: 2, low: 1))
  private let start = Moment(unixMilliseconds: 1_700_000_000_000)

  private func after(_ milliseconds: Int64) -> Moment { start.advanced(byMilliseconds: milliseconds) }

  @Test func `it is forgotten when nobody has spoken of it for long`() {
    var interruptions = Interruptions()
    interruptions.began(batch, "no longer needed", at: start)
    interruptions.endedJob(of: batch)
    interruptions.forget(at: after(Interruptions.keptMilliseconds - 1)) { [] }
    #expect(interruptions[batch] == "no longer needed")
    #expect(interruptions.jobsEnded(of: batch) == 1)
    interruptions.forget(at: after(Interruptions.keptMilliseconds)) { [] }
    #expect(interruptions[batch] == nil)
    #expect(interruptions.jobsEnded(of: batch) == 0)
  }

  @Test func `it is kept while its jobs are open, and forgotten some time after the last`() {
    var interruptions = Interruptions()
    interruptions.began(batch, "no longer needed", at: start)
    for round in 1...5 as ClosedRange<Int64> {
      interruptions.forget(at: after(round * Interruptions.keptMilliseconds)) { [batch] }
      #expect(interruptions[batch] != nil)
    }
    interruptions.forget(at: after(6 * Interruptions.keptMilliseconds)) { [] }
    #expect(interruptions[batch] == nil)
  }

  @Test func `it is kept while its producer goes on`() {
    var interruptions = Interruptions()
    interruptions.began(batch, "no longer needed", at: start)
    interruptions.heardOf(batch, at: after(400_000))
    interruptions.forget(at: after(800_000)) { [] }
    #expect(interruptions[batch] != nil)
    interruptions.forget(at: after(1_000_000)) { [] }
    #expect(interruptions[batch] == nil)
  }

  @Test func `which batches are open is asked only when one may be forgotten`() {
    var interruptions = Interruptions()
    var asked = 0
    interruptions.began(batch, "no longer needed", at: start)
    for second in 0..<1_000 as Range<Int64> {
      interruptions.forget(at: after(second * 1_000)) {
        asked += 1
        return []
      }
    }
    #expect(asked == 1)
  }

  /// A job that comes after so many seconds of silence is cancelled too, or is one as any other.
  @Test(arguments: [(10, 0), (700, 1)])
  func `what comes of a cancelled batch soon after is cancelled too`(seconds: Int, open: Int) async throws {
    let (clock, ledger) = (SteppingClock(), MemoryLedger())
    func submission(_ ordinal: UInt64) -> Delivery {
      let job = Job(batch: batch, ordinal: ordinal, kind: .unfurl, input: "http://a.test/\(ordinal)")
      return .envelope(
        Envelope(
          .submit(
            Submit(
              batch: batch, sequence: UInt32(ordinal), replyTo: Address("inproc://producer"), jobs: [job]))))
    }
    let cancel = Delivery.envelope(Envelope(.cancel(Cancel(.all(batch), cause: "no longer needed"))))
    let bursts = [[submission(0)], [cancel]] + Array(repeating: [], count: seconds) + [[submission(1)]]
    let inbox = ScriptedInbox(Address("inproc://aggregator"), bursts) { clock.advance(byMilliseconds: 1_000) }
    let ports = RolePorts(transport: RecordingTransport(), clock: clock, random: .seeded(1))
    let aggregator = Aggregator(settings: AggregatorSettings(), inbox: inbox, ledger: ledger, ports: ports)
    await #expect(throws: CancellationError.self) { try await aggregator.run() }
    #expect(await ledger.openJobs(.all, after: nil, limit: 9).count == open)
  }
}
