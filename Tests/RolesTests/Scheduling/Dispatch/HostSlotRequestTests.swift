import Pipeline
import Testing

@testable import Roles

/// Walks that go on to other hosts, as the dispatcher sees them.
final class HostSlotRequestTests {
  private let now = Moment(unixMilliseconds: 1_000)
  private let fetcher = WorkerID(UUIDv7(high: 1, low: 1))
  private var dispatcher: Dispatcher
  private var tokens: [LeaseToken] = []

  /// Jobs of as many hosts, all given out.
  init() {
    dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 1)))
    greet(credit: 5)
    for ordinal in 0..<5 as Range<UInt64> { add(ordinal, host: "h\(ordinal).test") }
    tokens = dispatcher.assignments(at: now).map(\.order.lease.token)
  }

  private func greet(credit: UInt64) {
    dispatcher.fetcherSpoke(
      Hello(
        worker: fetcher, role: .fetcher, locality: "here", address: Address("inproc://f"), granted: credit,
        received: 0))
  }

  private func add(_ ordinal: UInt64, host: String) {
    let batch = BatchID(UUIDv7(high: 2, low: 2))
    var job = Job(batch: batch, ordinal: ordinal, kind: .title, input: "http://\(host)/\(ordinal)")
    job.id = JobID(UUIDv7(high: 3, low: ordinal))
    dispatcher.arrived(LedgerJob(job, life: JobLife(), at: now), host: host, at: now)
  }

  private func request(_ index: Int, _ host: String, number: UInt32 = 1) -> HostSlotRequest {
    HostSlotRequest(from: fetcher, token: tokens[index], number: number, host: host)
  }

  /// Those that have asked for a slot, whether they have it or wait.
  private var asking: [LeaseToken] { tokens.filter { dispatcher.leases[$0]?.detour != nil } }

  private func gone() -> [LeaseToken] { dispatcher.hostSlotsToGrant(at: now).map(\.grant.token) }

  @Test func `a host that redirects lead to has no more at once than any other`() {
    #expect(tokens.count == 5)
    for index in 0..<3 { #expect(dispatcher.arrived(request(index, "page.test"), at: now) == nil) }
    #expect(gone() == [tokens[0]])
    #expect(gone() == [])
    _ = dispatcher.removed(JobID(UUIDv7(high: 3, low: 0)), at: now)
    #expect(gone() == [tokens[1]])
    #expect(asking == [tokens[1], tokens[2]])
    #expect(dispatcher.leakCounts["host slot requests"] == 1)
  }

  @Test func `a request needs no credit, and frees the host that it leaves`() {
    add(7, host: "h0.test")
    greet(credit: 6)
    #expect(dispatcher.assignments(at: now).isEmpty)
    #expect(dispatcher.arrived(request(0, "page.test"), at: now) == nil)
    #expect(dispatcher.assignments(at: now).map(\.order.job.ordinal) == [7])
    #expect(gone() == [tokens[0]])
  }

  @Test func `a repeated request changes nothing, and is answered again once it goes`() {
    for _ in 1...3 { #expect(dispatcher.arrived(request(0, "page.test"), at: now) == nil) }
    #expect(gone() == [tokens[0]])
    #expect(
      dispatcher.arrived(request(0, "page.test"), at: now) == HostSlotGrant(token: tokens[0], number: 1))
    #expect(dispatcher.arrived(request(1, "page.test"), at: now) == nil)
    #expect(gone() == [])
  }

  @Test func `a request that is out of date is nothing`() {
    #expect(dispatcher.arrived(request(0, "a.test", number: 2), at: now) == nil)
    #expect(dispatcher.arrived(request(0, "b.test", number: 1), at: now) == nil)
    #expect(gone() == [tokens[0]])
    #expect(dispatcher.arrived(request(1, "b.test"), at: now) == nil)
    #expect(gone() == [tokens[1]])
  }

  @Test func `a walk that goes further leaves the host that it was let go to`() {
    #expect(dispatcher.arrived(request(0, "a.test"), at: now) == nil)
    #expect(gone() == [tokens[0]])
    #expect(dispatcher.arrived(request(1, "a.test"), at: now) == nil)
    #expect(dispatcher.arrived(request(0, "b.test", number: 2), at: now) == nil)
    #expect(Set(gone()) == [tokens[0], tokens[1]])
  }

  @Test func `a lost lease drops its request`() {
    #expect(dispatcher.arrived(request(0, "page.test"), at: now) == nil)
    dispatcher.requeued(JobID(UUIDv7(high: 3, low: 0)), crashed: false, at: now)
    #expect(gone() == [])
    #expect(dispatcher.arrived(request(0, "page.test"), at: now) == nil)
    #expect(dispatcher.arrived(request(1, "page.test"), at: now) == nil)
    #expect(gone() == [tokens[1]])
    #expect(asking == [tokens[1]])
    #expect(dispatcher.leakCounts["host slot requests"] == 0)
  }

  @Test func `a walk that an earlier aggregator let go has its slot at once`() {
    var underWay = request(0, "page.test")
    underWay.isUnderWay = true
    #expect(dispatcher.arrived(underWay, at: now) == nil)
    #expect(dispatcher.arrived(request(1, "page.test"), at: now) == nil)
    #expect(gone() == [])
    _ = dispatcher.removed(JobID(UUIDv7(high: 3, low: 0)), at: now)
    #expect(gone() == [tokens[1]])
  }
}
