import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Whose turn it is among orders about many jobs, and what they find.
@Suite(.timeLimit(.minutes(10)))
struct JobSweepTests {
  private let batch = BatchID(UUIDv7(high: 2, low: 1))
  private let cancellation = BatchCancellation(cause: "enough", everything: true)

  private func ask(_ number: UInt64) -> Ask {
    Ask(
      CancelOrder(JobChoice(host: "a.test"), cause: "enough"), replyTo: Address("inproc://client"),
      id: UUIDv7(high: 5, low: number), deadline: Moment(unixMilliseconds: 9_000))
  }

  private var jobs: [JobID] { (0..<3).map { JobID(batch: batch, ordinal: $0) } }

  @Test func `a short order does not wait for the end of a long one`() async throws {
    var long = JobSweep(.batch(batch, after: nil), .cancel(cancellation))
    _ = try await long.next(in: MemoryLedger())
    var short = JobSweep(.jobs([:]), .cancel(cancellation))
    short.add(jobs)
    #expect([long, short].next == 1)
    _ = try await short.next(in: MemoryLedger())
    #expect([long, short].next == 0)
    #expect([JobSweep]().next == nil)
  }

  @Test func `single jobs with one cause are ended together, and causes are few`() {
    var sweeps: [JobSweep] = []
    for cause in 0..<40 {
      for job in jobs { sweeps.add([job], .cancel(BatchCancellation(cause: "\(cause)", everything: true))) }
    }
    #expect(sweeps.count == 16)
    #expect(sweeps.allSatisfy { sweep in jobs.allSatisfy(sweep.awaits) })
  }

  @Test func `orders of clients go one after another, and a requeue after what ends its batch`() {
    let choice = JobSweep.Scope.choice(JobChoice(batch), from: nil)
    let requeue = JobSweep(choice, .requeue([]), for: ask(1))
    let cancel = JobSweep(choice, .cancel(cancellation), for: ask(2))
    #expect([requeue, cancel].next == 0)
    let ending = JobSweep(.batch(batch, after: nil), .cancel(cancellation))
    #expect([requeue, cancel, ending].next == 2)
    let other = JobSweep(.batch(BatchID(UUIDv7(high: 3, low: 1)), after: nil), .cancel(cancellation))
    #expect([requeue, other].next == 0)
  }

  @Test func `single jobs that are not in the ledger are looked for once more`() async throws {
    var sweep = JobSweep(.jobs([:]), .cancel(cancellation))
    sweep.add(jobs)
    for isLast in [false, true] {
      let found = try await sweep.next(in: MemoryLedger())
      #expect(found.isEmpty && sweep.isLast == isLast)
    }
  }
}
