import Pipeline
import Testing

@testable import Roles

/// Results under leases that nobody has: their rows are dropped before they are kept.
struct StrayResultTests {
  private static let start = Moment(unixMilliseconds: 1_000)
  private static let fetcher = WorkerID(UUIDv7(high: 1, low: 1))

  /// A dispatcher with one job that is given out.
  private final class World {
    var dispatcher: Dispatcher
    let given: JobOrder

    init(after token: UInt64 = 0) throws {
      var dispatcher = Dispatcher(settings: AggregatorSettings(), lastToken: LeaseToken(token))
      dispatcher.fetcherSpoke(
        Hello(
          worker: fetcher, role: .fetcher, cell: "here", address: Address("inproc://f"), granted: 9,
          received: 0))
      let job = Job(
        batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .title, input: "http://a.test/")
      dispatcher.arrived(OpenJob(job: job, life: JobLife()), host: "a.test", at: start)
      given = try #require(dispatcher.assignments(at: start).first).order
      self.dispatcher = dispatcher
    }

    func takesResult(under token: UInt64, of job: JobID? = nil) -> Bool {
      dispatcher.mayBe(StrayResultTests.result(job ?? given.job.id, token))
    }
  }

  private static func result(_ job: JobID, _ token: UInt64) -> JobResult {
    JobResult(
      job: job, sender: fetcher, lease: Lease(token: LeaseToken(token), attempt: 1), failure: nil, row: [])
  }

  @Test func `a result counts under the lease of its job, and no other`() throws {
    let world = try World()
    let token = world.given.lease.token.value
    #expect(world.takesResult(under: token))
    #expect(!world.takesResult(under: token + 1))
    #expect(!world.takesResult(under: token, of: JobID(UUIDv7(high: 8, low: 8))))
  }

  @Test func `a result that is late still counts when its lease was taken back`() throws {
    let world = try World()
    let token = world.given.lease.token.value
    world.dispatcher.returned(world.given.job.id, crashed: false, at: Self.start)
    let again = try #require(world.dispatcher.assignments(at: Self.start).first)
    #expect(again.order.lease.token.value != token)
    #expect(world.takesResult(under: token))
  }

  @Test func `a result that comes twice is dropped the second time`() throws {
    let world = try World()
    _ = world.dispatcher.removed(world.given.job.id, at: Self.start)
    #expect(!world.takesResult(under: world.given.lease.token.value))
  }

  @Test func `a lease that an earlier aggregator gave may still be answered`() throws {
    let world = try World(after: 500)
    #expect(world.takesResult(under: 400))
    #expect(!world.takesResult(under: 502))
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
    var large = Self.result(JobID(UUIDv7(high: 8, low: 8)), 1)
    large.row = [UInt8](repeating: 0x20, count: 10 << 20)
    for _ in 0..<20 { waiting.add(.envelope(Envelope(.result(large)))) }
    #expect(waiting.count == 6)
    #expect(waiting.bytes <= WaitingDeliveries.mostBytes)
    waiting.add(.envelope(Envelope(.bye(Bye(worker: Self.fetcher)))))
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
