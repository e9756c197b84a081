import Pipeline
import Testing

@testable import Roles

/// What a job is told to wait for.
struct StandingTests {
  private let start = Moment(unixMilliseconds: 1_000)
  private let fetcher = WorkerID(UUIDv7(high: 1, low: 1))
  private let batch = BatchID(UUIDv7(at: Moment(unixMilliseconds: 5), uniqueHigh: 0, uniqueLow: 0))

  private func id(_ ordinal: UInt64) -> JobID { JobID(batch: batch, ordinal: ordinal) }

  private func dispatcher(credit: UInt64, atOnce: Int, delay: Int64 = 0) -> Dispatcher {
    var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: atOnce, delayMilliseconds: delay)))
    dispatcher.fetcherSpoke(
      Hello(
        worker: fetcher, role: .fetcher, locality: "here", address: Address("inproc://f"), granted: credit,
        received: 0))
    return dispatcher
  }

  private func arrive(_ ordinals: Range<UInt64>, at dispatcher: inout Dispatcher) {
    for ordinal in ordinals {
      let job = Job(batch: batch, ordinal: ordinal, kind: .title, input: "http://a.test/\(ordinal)")
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: "a.test", at: start)
    }
  }

  private func waits(
    _ ordinal: UInt64, at host: String = "a.test", in dispatcher: borrowing Dispatcher
  ) -> JobReport.Expectation {
    var next = dispatcher.expectation(of: id(ordinal), in: batch, host: host, at: start)
    next.waitingForHost = nil
    return next
  }

  @Test func `a job waits for its worker, its host, or its turn`() {
    var dispatcher = dispatcher(credit: 10, atOnce: 2)
    arrive(0..<4, at: &dispatcher)
    #expect(waits(0, in: dispatcher) == .init("turn", at: start))
    #expect(dispatcher.runnable(at: start) == 2)
    #expect(dispatcher.freeCreditInAll == 10)
    #expect(dispatcher.assignments(at: start).count == 2)
    #expect(waits(0, in: dispatcher) == .init("worker", worker: fetcher, at: start))
    #expect(waits(2, in: dispatcher) == .init("host", host: "a.test", underWay: 2, at: start))
    #expect(dispatcher.runnable(at: start) == 0)
    let next = dispatcher.expectation(of: id(2), in: batch, host: "a.test", at: start)
    #expect(next.waitingForHost == 2)
    // One that only the ledger has.
    #expect(waits(99, at: "b.test", in: dispatcher) == .init("turn", at: start))
  }

  @Test func `a job waits for credit`() {
    var dispatcher = dispatcher(credit: 1, atOnce: 9)
    arrive(0..<2, at: &dispatcher)
    #expect(dispatcher.assignments(at: start).count == 1)
    #expect(waits(1, in: dispatcher) == .init("fetcher", at: start))
    #expect(dispatcher.runnable(at: start) == 1)
    #expect(dispatcher.freeCreditInAll == 0)
  }

  @Test func `a job waits for its host's pause`() {
    var dispatcher = dispatcher(credit: 9, atOnce: 9, delay: 500)
    arrive(0..<3, at: &dispatcher)
    #expect(dispatcher.runnable(at: start) == 1)
    #expect(dispatcher.assignments(at: start).count == 1)
    let until = start.advanced(byMilliseconds: 500)
    #expect(waits(1, in: dispatcher) == .init("host_pause", host: "a.test", until: until, at: start))
    #expect(dispatcher.runnable(at: start) == 0)
  }

  @Test func `a job waits until what is paused is resumed, or its batch may start`() {
    var dispatcher = dispatcher(credit: 9, atOnce: 9)
    arrive(0..<2, at: &dispatcher)
    var shares = KnownShares()
    shares.pauses = [.host("a.test"): Pause(by: "ann@box")]
    dispatcher.learned(shares, at: start)
    #expect(waits(0, in: dispatcher) == .init("resumed_host", host: "a.test", at: start))
    #expect(dispatcher.runnable(at: start) == 0)
    shares.pauses = [.all: Pause(by: "ann@box")]
    dispatcher.learned(shares, at: start)
    #expect(waits(0, in: dispatcher) == .init("resumed_fleet", at: start))
    #expect(dispatcher.runnable(at: start) == 0)
    dispatcher.learned(KnownShares(), at: start)
    dispatcher.isHeldBack = true
    #expect(waits(0, in: dispatcher) == .init("room", at: start))
    #expect(dispatcher.assignments(at: start).isEmpty && dispatcher.nextWake == nil)
    dispatcher.isHeldBack = false
    #expect(waits(0, in: dispatcher) == .init("turn", at: start))
    #expect(dispatcher.runnable(at: start) == 2)
    dispatcher.set(BatchTerms(), of: batch, isPaused: true, at: start)
    #expect(waits(0, in: dispatcher) == .init("resumed_batch", at: start))
    #expect(dispatcher.runnable(at: start) == 0)
    var terms = BatchTerms()
    let later = start.advanced(byMilliseconds: 5)
    terms.startsAt = later
    dispatcher.set(terms, of: batch, isPaused: false, at: start)
    #expect(waits(0, in: dispatcher) == .init("start", until: later, at: start))
    (terms.startsAt, terms.atMost) = (nil, 1)
    dispatcher.set(terms, of: batch, isPaused: false, at: start)
    #expect(dispatcher.assignments(at: start).count == 1)
    #expect(waits(1, in: dispatcher) == .init("batch_limit", at: start))
  }

  @Test func `the hosts in most trouble are named, those that are given up first`() {
    var health = HostHealth(givesUpAfter: 3)
    for host in ["b.test", "a.test", "c.test"] { _ = health.failed(host, .connect, at: start) }
    health.started("c.test")
    _ = health.failed("c.test", .dns, at: start)
    health.started("c.test")
    _ = health.failed("c.test", .tls, at: start)
    let worst = health.worst(at: start)
    #expect(worst.map(\.host) == ["c.test", "a.test", "b.test"])
    #expect(worst.map(\.state) == [.givenUp, .slow, .slow])
    #expect(worst.first?.failures == 3)
    #expect(worst.first?.kind == .tls)
  }
}
