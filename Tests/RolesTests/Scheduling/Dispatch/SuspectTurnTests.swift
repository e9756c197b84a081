import Pipeline
import Testing

@testable import Roles

/// A job that workers died on, and others of its host.
final class SuspectTurnTests {
  private static let start = Moment(unixMilliseconds: 1_000)
  private static let delay: Int64 = 100
  private static let suspect: UInt64 = 9
  private var dispatcher: Dispatcher

  /// Two idle fetchers, and hosts that have one job at a time.
  init() {
    dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 1, delayMilliseconds: Self.delay)))
    for number in 1...2 as ClosedRange<UInt64> {
      dispatcher.fetcherSpoke(
        Hello(
          worker: WorkerID(UUIDv7(high: 1, low: number)), role: .fetcher, locality: "here",
          address: Address("inproc://\(number)"), granted: 9, received: 0))
    }
  }

  private static func after(_ milliseconds: Int64) -> Moment { start.advanced(byMilliseconds: milliseconds) }
  private static func id(_ ordinal: UInt64) -> JobID { JobID(UUIDv7(high: 3, low: ordinal)) }

  private func add(_ ordinal: UInt64, host: String = "a.test") {
    var job = Job(
      batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: ordinal, kind: .title,
      input: "http://\(host)/\(ordinal)")
    job.id = Self.id(ordinal)
    let life = ordinal == Self.suspect ? JobLife(state: .ready, attempts: 2, crashes: 2) : JobLife()
    dispatcher.arrived(LedgerJob(job, life: life, at: Self.start), host: host, at: Self.start)
  }

  private func given(after milliseconds: Int64) -> [UInt64] {
    dispatcher.assignments(at: Self.after(milliseconds)).map(\.order.job.ordinal)
  }

  private func end(_ ordinal: UInt64, after milliseconds: Int64) {
    _ = dispatcher.removed(Self.id(ordinal), at: Self.after(milliseconds))
  }

  @Test func `its host has no more at once than allowed, and it is the next one there`() {
    add(1)
    #expect(given(after: 0) == [1])
    for ordinal in [2, Self.suspect] { add(ordinal) }
    #expect(given(after: Self.delay) == [], "a fetcher is idle, and the host is not")
    end(1, after: 2 * Self.delay)
    #expect(given(after: 2 * Self.delay) == [Self.suspect])
    #expect(given(after: 3 * Self.delay) == [])
    end(Self.suspect, after: 3 * Self.delay)
    #expect(given(after: 3 * Self.delay) == [2])
  }

  @Test func `its host pauses before and after it`() {
    add(1)
    #expect(given(after: 0) == [1])
    end(1, after: 10)
    for ordinal in [2, Self.suspect] { add(ordinal) }
    #expect(given(after: 10) == [])
    #expect(dispatcher.nextWake == Self.after(Self.delay))
    #expect(given(after: Self.delay) == [Self.suspect])
    end(Self.suspect, after: Self.delay)
    #expect(given(after: 2 * Self.delay - 1) == [])
    #expect(given(after: 2 * Self.delay) == [2])
  }

  @Test func `while its host wants peace it waits, and no fetcher with it`() {
    dispatcher.pause(host: "a.test", until: Self.after(60_000))
    add(Self.suspect)
    for ordinal in [1, 2] as [UInt64] { add(ordinal, host: "b\(ordinal).test") }
    #expect(given(after: 0) == [1, 2])
    #expect(dispatcher.queued == 1)
    #expect(dispatcher.nextWake == Self.after(60_000))
    for ordinal in [1, 2] as [UInt64] { end(ordinal, after: 5) }
    #expect(given(after: 59_999) == [])
    #expect(given(after: 60_000) == [Self.suspect])
    #expect(dispatcher.queued == 0)
  }
}
