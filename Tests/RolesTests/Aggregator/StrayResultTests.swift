import Pipeline
import Testing

@testable import Roles

/// Results under leases that nobody has: their rows are dropped before they are kept.
struct StrayResultTests {
  private let start = Moment(unixMilliseconds: 1_000)
  private let fetcher = WorkerID(UUIDv7(high: 1, low: 1))

  /// With one job that is given out.
  private func world(after token: UInt64 = 0) throws -> (Dispatcher, Dispatcher.Assignment) {
    var dispatcher = Dispatcher(settings: AggregatorSettings(), lastToken: LeaseToken(token))
    dispatcher.fetcherSpoke(
      Hello(
        worker: fetcher, role: .fetcher, cell: "here", address: Address("inproc://f"), granted: 9,
        received: 0))
    let job = Job(
      batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .title, input: "http://a.test/")
    dispatcher.arrived(OpenJob(job: job, life: JobLife()), host: "a.test", at: start)
    let assignment = try #require(dispatcher.assignments(at: start).first)
    return (dispatcher, assignment)
  }

  private func result(_ job: JobID, _ token: UInt64) -> JobResult {
    JobResult(
      job: job, sender: fetcher, lease: Lease(token: LeaseToken(token), attempt: 1), failure: nil, row: [])
  }

  @Test func `a result counts under the lease of its job, and no other`() throws {
    let (dispatcher, given) = try world()
    let (job, token) = (given.order.job.id, given.order.lease.token.value)
    #expect(dispatcher.mayBe(result(job, token)))
    #expect(!dispatcher.mayBe(result(job, token + 1)))
    #expect(!dispatcher.mayBe(result(JobID(UUIDv7(high: 8, low: 8)), token)))
  }

  @Test func `a result that is late still counts when its lease was taken back`() throws {
    var (dispatcher, given) = try world()
    let (job, token) = (given.order.job.id, given.order.lease.token.value)
    dispatcher.returned(job, crashed: false, at: start)
    let again = try #require(dispatcher.assignments(at: start).first)
    #expect(again.order.lease.token.value != token)
    #expect(dispatcher.mayBe(result(job, token)))
  }

  @Test func `a result that comes twice is dropped the second time`() throws {
    var (dispatcher, given) = try world()
    let (job, token) = (given.order.job.id, given.order.lease.token.value)
    _ = dispatcher.removed(job, at: start)
    #expect(!dispatcher.mayBe(result(job, token)))
  }

  @Test func `a lease that an earlier aggregator gave may still be answered`() throws {
    let (dispatcher, given) = try world(after: 500)
    #expect(dispatcher.mayBe(result(given.order.job.id, 400)))
    #expect(!dispatcher.mayBe(result(given.order.job.id, 502)))
  }

  @Test func `only so many leases are remembered, the newest`() {
    var past = PastLeases(most: 3)
    for number in 1...5 as ClosedRange<UInt64> {
      past.add(LeaseToken(number), of: JobID(UUIDv7(high: 0, low: number)))
    }
    let known = (1...5).map { past[LeaseToken($0)] != nil }
    #expect(known == [false, false, true, true, true])
  }

  @Test func `what waits for a failing commit is bounded in bytes, and what nobody repeats comes first`() {
    var waiting = WaitingDeliveries()
    var large = result(JobID(UUIDv7(high: 8, low: 8)), 1)
    large.row = [UInt8](repeating: 0x20, count: 10 << 20)
    for _ in 0..<20 { waiting.add(.envelope(Envelope(.result(large)))) }
    #expect(waiting.count == 6)
    #expect(waiting.bytes <= WaitingDeliveries.mostBytes)
    waiting.add(.envelope(Envelope(.bye(Bye(worker: fetcher)))))
    waiting.add(.lane(LaneNotice(address: Address("a"), isUp: false)))
    #expect(waiting.count == 8)
    let cancel = Cancel(
      .jobs(of: BatchID(UUIDv7(high: 2, low: 2)), [UInt64](repeating: 0, count: 1 << 20)), cause: "")
    for _ in 0..<30 { waiting.add(.envelope(Envelope(.cancel(cancel)))) }
    #expect(waiting.bytes <= 2 * WaitingDeliveries.mostBytes)
    #expect(waiting.takeAll().count > 8)
    #expect(waiting.isEmpty && waiting.bytes == 0)
  }
}
