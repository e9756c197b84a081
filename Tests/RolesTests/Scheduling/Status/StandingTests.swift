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

  @Test func `a job waits for its worker, its host, or its turn`() {
    var dispatcher = dispatcher(credit: 10, atOnce: 2)
    arrive(0..<4, at: &dispatcher)
    #expect(dispatcher.standing(of: id(0), in: batch, host: "a.test", at: start) == .turn)
    #expect(dispatcher.runnable(at: start) == 2)
    #expect(dispatcher.freeCreditInAll == 10)
    #expect(dispatcher.assignments(at: start).count == 2)
    #expect(dispatcher.standing(of: id(0), in: batch, host: "a.test", at: start) == .worker(fetcher))
    #expect(
      dispatcher.standing(of: id(2), in: batch, host: "a.test", at: start)
        == .hostSlot(host: "a.test", running: 2))
    #expect(dispatcher.runnable(at: start) == 0)
    #expect(dispatcher.waiting(forHost: "a.test") == 2)
    // One that only the ledger has.
    #expect(dispatcher.standing(of: id(99), in: batch, host: "b.test", at: start) == .turn)
  }

  @Test func `a job waits for credit`() {
    var dispatcher = dispatcher(credit: 1, atOnce: 9)
    arrive(0..<2, at: &dispatcher)
    #expect(dispatcher.assignments(at: start).count == 1)
    #expect(dispatcher.standing(of: id(1), in: batch, host: "a.test", at: start) == .credit)
    #expect(dispatcher.runnable(at: start) == 1)
    #expect(dispatcher.freeCreditInAll == 0)
  }

  @Test func `a job waits for its host's pause`() {
    var dispatcher = dispatcher(credit: 9, atOnce: 9, delay: 500)
    arrive(0..<3, at: &dispatcher)
    #expect(dispatcher.runnable(at: start) == 1)
    #expect(dispatcher.assignments(at: start).count == 1)
    let until = start.advanced(byMilliseconds: 500)
    #expect(
      dispatcher.standing(of: id(1), in: batch, host: "a.test", at: start)
        == .hostPause(host: "a.test", until: until))
    #expect(dispatcher.runnable(at: start) == 0)
  }

  @Test func `a job waits until what is paused is resumed, or its batch may start`() {
    var dispatcher = dispatcher(credit: 9, atOnce: 9)
    arrive(0..<2, at: &dispatcher)
    func standing() -> JobStanding { dispatcher.standing(of: id(0), in: batch, host: "a.test", at: start) }
    var shares = KnownShares()
    shares.pauses = [.host("a.test"): Pause(by: "ann@box")]
    dispatcher.learned(shares, at: start)
    #expect(standing() == .hostHeld(host: "a.test"))
    #expect(dispatcher.runnable(at: start) == 0)
    shares.pauses = [.all: Pause(by: "ann@box")]
    dispatcher.learned(shares, at: start)
    #expect(standing() == .allPaused)
    #expect(dispatcher.runnable(at: start) == 0)
    dispatcher.learned(KnownShares(), at: start)
    dispatcher.isHeldBack = true
    #expect(standing() == .room)
    #expect(dispatcher.assignments(at: start).isEmpty && dispatcher.nextWake == nil)
    dispatcher.isHeldBack = false
    #expect(standing() == .turn)
    #expect(dispatcher.runnable(at: start) == 2)
    dispatcher.set(BatchTerms(), of: batch, isPaused: true, at: start)
    #expect(standing() == .batch(.paused))
    #expect(dispatcher.runnable(at: start) == 0)
    var terms = BatchTerms()
    let later = start.advanced(byMilliseconds: 5)
    terms.startsAt = later
    dispatcher.set(terms, of: batch, isPaused: false, at: start)
    #expect(standing() == .batch(.starts(at: later)))
    (terms.startsAt, terms.atMost) = (nil, 1)
    dispatcher.set(terms, of: batch, isPaused: false, at: start)
    #expect(dispatcher.assignments(at: start).count == 1)
    #expect(
      dispatcher.standing(of: id(1), in: batch, host: "a.test", at: start) == .batch(.limit))
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
