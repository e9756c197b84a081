import Pipeline
import Testing

@testable import Roles

struct HostPatienceTests {
  private let start = Moment(unixMilliseconds: 1_000)
  private let fetcher = WorkerID(UUIDv7(high: 1, low: 1))
  private let busy = Failure(.httpStatus, at: .headers, "fetch http://a.test/: status 429", retryable: true)

  private func after(_ seconds: Int64) -> Moment { start.advanced(byMilliseconds: seconds * 1_000) }

  /// For how many seconds jobs wait when each pause is followed by the next, up to a limit.
  private func waited(_ pause: Int64, retries: UInt16, pagesBetween: Int = 0) -> Int64 {
    var health = HostHealth()
    var waited: Int64 = 0
    let budget = RetryRule(retries: retries).longestPeaceInAll
    while waited < 100_000 {
      let (now, end) = (after(waited), after(waited + pause))
      guard health.asked("a", .httpStatus, until: end, budget: budget, at: now).isEmpty else { break }
      waited += pause
      for _ in 0..<pagesBetween { health.served("a") }
    }
    return waited
  }

  @Test(
    arguments: [
      (300, 0, 0), (30, 0, 60), (300, 1, 300), (300, 3, 900), (7, 3, 896), (300, 100, 900),
    ] as [(Int64, UInt16, Int64)])
  func `a host that only asks to wait is given up after its budget`(
    pause: Int64, retries: UInt16, expected: Int64
  ) {
    #expect(waited(pause, retries: retries) == expected)
  }

  @Test func `a host that paces its clients is obeyed as long as it serves pages`() {
    #expect(waited(60, retries: 3, pagesBetween: 6) >= 100_000)
    #expect(waited(300, retries: 3, pagesBetween: 1) == 900, "a page earns little")
  }

  @Test func `answers of the same moment count once`() {
    var health = HostHealth()
    for _ in 0..<1_000 {
      #expect(health.asked("a", .httpStatus, until: after(60), budget: 60_000, at: start) == [])
    }
    #expect(!health.asked("a", .httpStatus, until: after(61), budget: 60_000, at: start).isEmpty)
    #expect(health.asked("b", .httpStatus, until: after(60), budget: 60_000, at: start) == [])
  }

  @Test func `whoever gives no host up waits for each`() {
    var health = HostHealth(givesUpAfter: nil)
    #expect(health.asked("a", .httpStatus, until: after(300), budget: 0, at: start) == [])
  }

  @Test func `what waits for a host that asks for too much fails, and other hosts go on`() throws {
    var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 1)))
    dispatcher.fetcherSpoke(
      Hello(
        worker: fetcher, role: .fetcher, locality: "here", address: Address("inproc://f"), granted: 100,
        received: 0))
    let batch = BatchID(UUIDv7(high: 2, low: 2))
    for (ordinal, host) in ["a.test", "a.test", "b.test"].enumerated() {
      let job = Job(batch: batch, ordinal: UInt64(ordinal), kind: .title, input: "http://\(host)/\(ordinal)")
      dispatcher.arrived(LedgerJob(job, life: JobLife(), at: start), host: host, at: start)
    }
    dispatcher.asked(host: "a.test", by: busy.kind, until: after(300), budget: 60_000, at: start)
    let ended = dispatcher.takeGivenUp(at: start, atMost: 10).jobs
    #expect(ended.map(\.entry.turnHost) == ["a.test", "a.test"])
    let failure = try #require(ended.first?.failure)
    #expect(failure.kind == .httpStatus && failure.retryable)
    #expect(
      failure.message.hasPrefix(
        "fetch http://a.test/0: a.test asks to wait (Retry-After) for longer than jobs do, given up until "))
    #expect(failure.message.hasSuffix("; requeue later, or raise --retries"))
    #expect(dispatcher.assignments(at: start).map(\.order.job.ordinal) == [2])
    #expect(dispatcher.health.troubles(at: start).givenUp == 1)
    #expect(dispatcher.health.troubles(at: after(601)).givenUp == 0)
  }

  private func dispatcher(givesUpAfter limit: Int? = 15) -> Dispatcher {
    Dispatcher(paces: HostPaces(HostPace(atOnce: 1)), givesUpAfter: limit)
  }

  private func verdict(isAskedToWait: Bool = false) -> HostVerdict {
    HostVerdict(kind: .connect, failures: 15, until: after(600), isAskedToWait: isAskedToWait)
  }

  @Test
  func `what an earlier dispatcher knew of hosts counts and is reported, and is neither news nor a change`() {
    var dispatcher = dispatcher()
    dispatcher.inherit(["a.test": .asked(until: after(300)), "b.test": .givenUp(verdict())], at: start)
    #expect(dispatcher.health.troubles(at: start) == (slow: 0, givenUp: 1, asked: 1))
    #expect(dispatcher.hosts.availability(host: "a.test", at: start) != .now)
    #expect(dispatcher.hostNews.isEmpty)
    #expect(dispatcher.takeHostWaits(at: start).isEmpty)
  }

  @Test func `an answer that asks for less ends neither a longer pause nor a verdict`() {
    var dispatcher = dispatcher()
    for seconds in [300, 10] as [Int64] { dispatcher.pause(host: "a.test", until: after(seconds)) }
    dispatcher.inherit(["b.test": .givenUp(verdict())], at: start)
    dispatcher.pause(host: "b.test", until: after(60))
    for seconds in [300, 10] as [Int64] { dispatcher.pause(host: "a.test", until: after(seconds)) }
    #expect(
      dispatcher.takeHostWaits(at: start) == [
        "a.test": .asked(until: after(300)), "b.test": .givenUp(verdict()),
      ])
  }

  @Test func `a host that answers again after it was given up still has the peace that it asked for`() {
    var dispatcher = dispatcher()
    dispatcher.pause(host: "a.test", until: after(30))
    dispatcher.asked(host: "a.test", by: busy.kind, until: after(300), budget: 60_000, at: start)
    dispatcher.answered("a.test", at: start)
    #expect(dispatcher.takeHostWaits(at: start) == ["a.test": .asked(until: after(30))])
  }

  @Test func `who gives up no host leaves one alone that asked an earlier dispatcher for too much`() {
    var dispatcher = dispatcher(givesUpAfter: nil)
    dispatcher.inherit(
      ["a.test": .givenUp(verdict(isAskedToWait: true)), "b.test": .givenUp(verdict())], at: start)
    #expect(dispatcher.hosts.availability(host: "a.test", at: start) != .now)
    #expect(dispatcher.hosts.availability(host: "b.test", at: start) == .now)
  }

  @Test func `no wait is longer than any, whatever the clock did`() {
    let late = after(1 << 30)
    var bounded = verdict()
    #expect(HostWait.asked(until: late).left(at: start) == .asked(until: after(600)))
    bounded.until = late
    #expect(HostWait.givenUp(bounded).left(at: start) == .givenUp(verdict()))
    #expect(HostWait.asked(until: start).left(at: start) == nil)
  }
}
