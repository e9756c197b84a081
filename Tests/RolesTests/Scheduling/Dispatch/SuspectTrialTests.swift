import Pipeline
import Testing

@testable import Roles

/// A job that one more death would poison, on the only fetcher.
final class SuspectTrialTests {
  private static let suspect: UInt64 = 9
  private static let patience = Suspects.trialMilliseconds
  private static let fetcher = WorkerID(UUIDv7(high: 1, low: 1))
  private var dispatcher = Dispatcher(paces: HostPaces(HostPace(atOnce: 10, delayMilliseconds: 0)))

  init() {
    dispatcher.fetcherSpoke(
      Hello(
        worker: Self.fetcher, role: .fetcher, locality: "here", address: Address("inproc://1"), granted: 9,
        received: 0))
    add(1)
    #expect(given(after: 0) == [1])
    for ordinal in [2, Self.suspect] { add(ordinal) }
    #expect(given(after: 0) == [], "the fetcher is kept for the suspect")
  }

  private static func after(_ milliseconds: Int64) -> Moment {
    Moment(unixMilliseconds: 1_000 + milliseconds)
  }
  private static func id(_ ordinal: UInt64) -> JobID { JobID(UUIDv7(high: 3, low: ordinal)) }

  private func add(_ ordinal: UInt64) {
    var job = Job(
      batch: BatchID(UUIDv7(high: 2, low: 2)), ordinal: ordinal, kind: .title,
      input: "http://a.test/\(ordinal)"
    )
    job.id = Self.id(ordinal)
    let crashes: UInt8 = ordinal == Self.suspect ? JobLife.crashesUntilPoisoned - 1 : 0
    let life = JobLife(state: .ready, attempts: UInt16(crashes), crashes: crashes)
    dispatcher.arrived(LedgerJob(job, life: life, at: Self.after(0)), host: "a.test", at: Self.after(0))
  }

  private func given(after milliseconds: Int64) -> [UInt64] {
    dispatcher.assignments(at: Self.after(milliseconds)).map(\.order.job.ordinal)
  }

  private func end(_ ordinal: UInt64, after milliseconds: Int64) {
    _ = dispatcher.removed(Self.id(ordinal), at: Self.after(milliseconds))
  }

  @Test func `it begins when the fetcher is idle, and others when it is over`() {
    end(1, after: 10)
    #expect(given(after: 10) == [Self.suspect])
    #expect(given(after: 20) == [])
    end(Self.suspect, after: 30)
    #expect(given(after: 30) == [2])
  }

  @Test func `it waits for a while only, and others for as long again`() {
    #expect(dispatcher.nextWake == Self.after(Self.patience))
    #expect(given(after: Self.patience - 1) == [])
    #expect(given(after: Self.patience) == [Self.suspect])
    #expect(dispatcher.nextWake == Self.after(2 * Self.patience))
    #expect(given(after: 2 * Self.patience - 1) == [])
    #expect(given(after: 2 * Self.patience) == [2])
    #expect(dispatcher.nextWake == nil)
  }

  @Test func `a fetcher that dies before it began is not kept any more`() {
    dispatcher.fetcherLeft(Self.fetcher)
    #expect(dispatcher.suspects.trialEnd == nil)
  }

  @Test func `while all is paused nobody is woken for it`() {
    dispatcher.limits.isAllPaused = true
    #expect(given(after: Self.patience) == [])
    #expect(dispatcher.nextWake == nil)
  }
}
