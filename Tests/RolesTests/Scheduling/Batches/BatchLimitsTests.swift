import Pipeline
import Testing

@testable import Roles

struct BatchLimitsTests {
  private let batch = BatchID(UUIDv7(high: 9, low: 1))
  private let now = Moment(unixMilliseconds: 1_000)

  private func terms(_ change: (inout BatchTerms) -> Void) -> BatchTerms {
    var terms = BatchTerms()
    change(&terms)
    return terms
  }

  @Test func `a batch of usual terms is not kept`() {
    var limits = BatchLimits()
    #expect(
      limits.set(batch, BatchTerms(name: "a"), isPaused: false, underWay: 0, isNew: true, at: now) == false)
    #expect(limits.isEmpty)
    _ = limits.set(batch, BatchTerms(), isPaused: true, underWay: 0, isNew: true, at: now)
    #expect(limits.count == 1 && limits.isShut(batch))
    _ = limits.set(batch, BatchTerms(), isPaused: false, underWay: 0, isNew: true, at: now)
    #expect(limits.isEmpty && !limits.isHeld(batch))
  }

  @Test func `a limit of jobs in progress holds, and the next may follow the end of one`() {
    var limits = BatchLimits()
    #expect(
      limits.set(batch, terms { $0.atMost = 2 }, isPaused: false, underWay: 0, isNew: true, at: now) == false)
    #expect(limits.started(batch, at: now) == false)
    #expect(limits.started(batch, at: now) == true)
    #expect(limits.isHeld(batch) && limits.isLimited(batch) && !limits.isShut(batch))
    #expect(limits.ended(batch, at: now) == true)
    #expect(!limits.isHeld(batch) && limits.nextWake == nil)
    #expect(
      limits.set(batch, terms { $0.atMost = 1 }, isPaused: false, underWay: 1, isNew: true, at: now) == true)
  }

  @Test func `a batch waits for its time and for its rate, each with one wake`() {
    var limits = BatchLimits()
    let start = now.advanced(byMilliseconds: 500)
    let wanted = terms { ($0.startsAt, $0.perHour) = (start, 3_600) }
    #expect(limits.set(batch, wanted, isPaused: false, underWay: 0, isNew: true, at: now) == true)
    #expect(limits.isShut(batch) && limits.nextWake == start)
    #expect(limits.due(at: now) == [])
    #expect(limits.due(at: start) == [batch])
    #expect(!limits.isShut(batch) && limits.nextWake == nil)
    #expect(limits.started(batch, at: start) == true)
    let next = start.advanced(byMilliseconds: 1_000)
    #expect(limits.nextWake == next)
    #expect(limits.ended(batch, at: start) == false)
    #expect(limits.due(at: next) == [batch])
    #expect(limits.nextWake == nil)
  }

  @Test func `a paused batch stays held whatever ends`() {
    var limits = BatchLimits()
    let wanted = terms { $0.atMost = 1 }
    #expect(limits.set(batch, wanted, isPaused: true, underWay: 1, isNew: true, at: now) == true)
    #expect(limits.ended(batch, at: now) == false)
    #expect(limits.set(batch, wanted, isPaused: false, underWay: 0, isNew: false, at: now) == false)
  }

  @Test func `a batch starts by the wall clock, whichever way it is set`() {
    var limits = BatchLimits()
    let start = now.advanced(byMilliseconds: 7_200_000)
    let wanted = terms { $0.startsAt = start }
    #expect(limits.set(batch, wanted, isPaused: false, underWay: 0, isNew: true, at: now) == true)
    #expect(limits.clockStepped(by: 3_600_000, at: now).map(\.isHeld) == [true])
    #expect(limits.nextWake == now.advanced(byMilliseconds: 3_600_000))
    #expect(limits.clockStepped(by: 7_200_000, at: now).map(\.isHeld) == [false])
    #expect(!limits.isShut(batch))
    #expect(limits.clockStepped(by: -1_000, at: start).map(\.isHeld) == [true])
    #expect(limits.due(at: start.advanced(byMilliseconds: 1_000)) == [batch])
  }
}
