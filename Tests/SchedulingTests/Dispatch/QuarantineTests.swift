import Pipeline
import Testing

@testable import Scheduling

struct QuarantineTests {
  private let job = JobID(UUIDv7(high: 1, low: 1))
  private let other = JobID(UUIDv7(high: 1, low: 2))
  private let busy = WorkerID(UUIDv7(high: 2, low: 1))
  private let idle = WorkerID(UUIDv7(high: 2, low: 2))
  private let now = Moment(unixMilliseconds: 1_000)
  private var solo = Quarantine()

  private mutating func next(
    among fetchers: [WorkerID], isWanted: Bool = true, at moment: Moment? = nil,
    availability: (JobID) -> Quarantine.HostAvailability = { _ in .now }
  ) -> (job: JobID, worker: WorkerID)? {
    solo.next(where: { _ in isWanted }, among: fetchers, at: moment ?? now, availability: availability)
  }

  @Test mutating func `a suspect goes to an idle fetcher, which gets nothing else meanwhile`() {
    solo.began(other, at: busy)
    solo.add(job)
    let next = next(among: [busy, idle])
    #expect(next?.job == job)
    #expect(next?.worker == idle)
    solo.began(job, at: idle)
    #expect(solo.isReserved(idle))
    solo.ended(job, at: idle)
    #expect(!solo.isReserved(idle))
  }

  @Test mutating func `when all are busy one is kept free until it is idle`() {
    solo.began(other, at: busy)
    solo.add(job)
    #expect(next(among: [busy]) == nil)
    #expect(solo.isReserved(busy))
    solo.ended(other, at: busy)
    #expect(next(among: [busy])?.job == job)
  }

  @Test mutating func `suspects run one after another`() {
    solo.add(job)
    solo.add(other)
    #expect(next(among: [idle, busy])?.job == job)
    #expect(next(among: [idle, busy]) == nil)
    solo.ended(job, at: idle)
    #expect(next(among: [idle, busy])?.job == other)
  }

  @Test mutating func `a suspect that is over meanwhile is dropped`() {
    solo.add(job)
    #expect(next(among: [idle], isWanted: false) == nil)
    #expect(!solo.isReserved(idle))
  }

  @Test mutating func `of fetchers that are all the same to it a suspect gets the one with the least name`() {
    for fetchers in [[idle, busy], [busy, idle]] {
      solo = Quarantine()
      solo.add(job)
      #expect(next(among: fetchers)?.worker == busy)
    }
  }

  @Test mutating func `a fetcher is kept for a suspect whose host is crowded, until it is not`() {
    solo.add(job)
    #expect(next(among: [idle]) { _ in .soon(notBefore: nil) } == nil)
    #expect(solo.isReserved(idle))
    #expect(solo.nextWake == nil, "whoever leaves the host says so")
    #expect(next(among: [idle])?.job == job)
  }

  @Test mutating func `a fetcher is kept for a suspect whose host pauses for a moment`() {
    let end = now.advanced(byMilliseconds: 100)
    solo.add(job)
    #expect(next(among: [idle]) { _ in .soon(notBefore: end) } == nil)
    #expect(solo.isReserved(idle))
    #expect(solo.nextWake == end)
    #expect(next(among: [idle], at: end)?.job == job)
    #expect(solo.nextWake == nil)
  }

  @Test mutating func `nobody is kept for a suspect whose host wants peace, and others go first`() {
    let end = now.advanced(byMilliseconds: 100_000)
    let suspect = job
    solo.add(suspect)
    #expect(next(among: [idle]) { _ in .later(end) } == nil)
    #expect(!solo.isReserved(idle))
    #expect(solo.nextWake == end)
    #expect(solo.count == 1)
    solo.add(other)
    #expect(next(among: [idle]) { $0 == suspect ? .later(end) : .now }?.job == other)
    #expect(next(among: [idle], at: end) == nil)
    #expect(solo.nextWake == nil, "its turn comes when the other one ends")
    solo.ended(other, at: idle)
    #expect(next(among: [idle], at: end)?.job == suspect)
    #expect(solo.count == 0)
    #expect(solo.nextWake == nil)
  }
}
