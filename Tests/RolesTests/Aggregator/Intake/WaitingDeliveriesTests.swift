import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What came while a commit fails.
struct WaitingDeliveriesTests {
  private static let fetcher = WorkerID.numbered(1)

  @Test func `what waits for a failing commit is bounded in bytes, and what nobody repeats comes first`() {
    var waiting = WaitingDeliveries()
    let large = JobResult(
      job: JobID(UUIDv7(high: 8, low: 8)), sender: Self.fetcher,
      lease: Lease(token: LeaseToken(1), attempt: 1),
      failure: nil, members: [UInt8](repeating: 0x20, count: 10 << 20), milliseconds: 0)
    for _ in 0..<20 { waiting.add(.envelope(Envelope.said(.result(large)))) }
    #expect(waiting.count == 6)
    #expect(waiting.bytes <= WaitingDeliveries.mostBytes)
    waiting.add(.envelope(Envelope.said(.bye(Bye(worker: Self.fetcher)))))
    waiting.add(.lane(LaneNotice(address: Address("a"), isUp: false)))
    #expect(waiting.count == 8)
    let cancel = Cancel(
      .jobs(of: BatchID(UUIDv7(high: 2, low: 2)), [UInt64](repeating: 0, count: 1 << 20)), cause: "")
    for _ in 0..<30 { waiting.add(.envelope(Envelope.said(.cancel(cancel)))) }
    #expect(waiting.bytes <= 2 * WaitingDeliveries.mostBytes)
    #expect(waiting.takeAll().count > 8)
    #expect(waiting.isEmpty && waiting.bytes == 0)
  }
}
