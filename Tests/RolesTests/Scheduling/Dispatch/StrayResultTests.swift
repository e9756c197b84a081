import Pipeline
import Testing

@testable import Roles

/// Results under leases that nobody has: they are dropped before a row is made of them.
struct StrayResultTests {
  private static let start = Moment(unixMilliseconds: 1_000)
  private static let fetcher = WorkerID(UUIDv7(high: 1, low: 1))

  /// A dispatcher with one job that is given out.
  private final class GivenJob {
    var dispatcher: Dispatcher
    let given: JobOrder

    init(after token: UInt64 = 0) throws {
      var dispatcher = Dispatcher(
        paces: HostPaces(HostPace(atOnce: 8)), lastToken: LeaseToken(token))
      dispatcher.fetcherSpoke(
        Hello(
          worker: fetcher, role: .fetcher, locality: "here", address: Address("inproc://f"), granted: 9,
          received: 0))
      let job = Job(
        batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: 0, kind: .title, input: "http://a.test/")
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: "a.test", at: start)
      given = try #require(dispatcher.assignments(at: start).first).order
      self.dispatcher = dispatcher
    }

    func takesResult(under token: UInt64, of job: JobID? = nil) -> Bool {
      takes(StrayResultTests.key.token(token, of: given.job.id), of: job)
    }

    func takes(_ token: LeaseToken, of job: JobID? = nil) -> Bool {
      dispatcher.mayBe(StrayResultTests.result(job ?? given.job.id, token))
    }
  }

  private static let key = LeaseKey(high: 0, low: 0)

  private static func result(_ job: JobID, _ token: LeaseToken) -> JobResult {
    JobResult(
      job: job, sender: fetcher, lease: Lease(token: token, attempt: 1), failure: nil,
      members: [], milliseconds: 0)
  }

  @Test func `a result counts under the lease of its job, and no other`() throws {
    let one = try GivenJob()
    let token = one.given.lease.token.value
    #expect(one.takesResult(under: token))
    #expect(!one.takesResult(under: token + 1))
    #expect(!one.takesResult(under: token, of: JobID(UUIDv7(high: 8, low: 8))))
  }

  @Test func `a result that is late still counts when its lease was taken back`() throws {
    let one = try GivenJob()
    let token = one.given.lease.token.value
    one.dispatcher.requeued(one.given.job.id, crashed: false, at: Self.start)
    let again = try #require(one.dispatcher.assignments(at: Self.start).first)
    #expect(again.order.lease.token.value != token)
    #expect(one.takesResult(under: token))
  }

  @Test func `a result that comes twice is dropped the second time`() throws {
    let one = try GivenJob()
    _ = one.dispatcher.removed(one.given.job.id, at: Self.start)
    #expect(!one.takesResult(under: one.given.lease.token.value))
  }

  @Test func `a lease that an earlier aggregator gave may still be answered`() throws {
    let one = try GivenJob(after: 500)
    #expect(one.takesResult(under: 400))
    #expect(
      !one.takesResult(under: 400, of: JobID(UUIDv7(high: 8, low: 8))), "it is the lease of another job")
    #expect(!one.takes(LeaseToken(400)), "it has another seal")
  }

  @Test func `only so many leases are remembered, the newest`() {
    var past = LastKept<LeaseToken, JobID>(most: 3)
    for number in 1...5 as ClosedRange<UInt64> {
      past.keep(JobID(UUIDv7(high: 0, low: number)), for: LeaseToken(number))
    }
    let known = (1...5).map { past[LeaseToken($0)] != nil }
    #expect(known == [false, false, true, true, true])
  }
}
