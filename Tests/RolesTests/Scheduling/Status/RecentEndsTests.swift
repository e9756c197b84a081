import Pipeline
import Testing

@testable import Roles

struct RecentEndsTests {
  private let start = Moment(unixMilliseconds: 1_700_000_000_000)

  private func after(_ seconds: Int64) -> Moment { start.advanced(byMilliseconds: seconds * 1_000) }

  @Test func `ends count for the minutes in which they were`() {
    var recent = RecentEnds(at: start)
    recent.submitted(3, at: after(0))
    recent.ended(.done, nil, at: after(1))
    recent.ended(.dead, .dns, at: after(2))
    recent.ended(.cancelled, .cancelled, at: after(70))
    let minute = recent.last(minutes: 1, at: after(75))
    #expect((minute.submitted, minute.done, minute.failed, minute.cancelled) == (0, 0, 0, 1))
    #expect(minute.ended == 1)
    let quarter = recent.last(minutes: 15, at: after(75))
    #expect((quarter.submitted, quarter.done, quarter.failed, quarter.cancelled) == (3, 1, 1, 1))
    #expect(quarter.failures.counts == [.dns: 1])
    #expect(recent.last(minutes: 15, at: after(960)).ended == 1)
    #expect(recent.last(minutes: 15, at: after(5_000)) == RecentEnds.Counts(after: 15 * 60_000 - 5_000))
    #expect(recent.failures.counts == [.dns: 1])
  }

  @Test func `the time is no longer than since the start`() {
    let recent = RecentEnds(at: start)
    #expect(recent.last(minutes: 1, at: after(0)).milliseconds == 0)
    #expect(recent.last(minutes: 1, at: after(12)).milliseconds == 12_000)
    #expect(recent.last(minutes: 15, at: after(12)).milliseconds == 12_000)
    #expect(recent.last(minutes: 1, at: after(600)).milliseconds <= 60_000)
  }

  @Test func `a step is used again for a later time`() {
    var recent = RecentEnds(at: start)
    recent.ended(.done, nil, at: after(0))
    recent.ended(.dead, .tls, at: after(900))
    let quarter = recent.last(minutes: 15, at: after(900))
    #expect((quarter.done, quarter.failed) == (0, 1))
  }
}

extension RecentEnds.Counts {
  fileprivate init(after milliseconds: Int64) {
    self.init()
    self.milliseconds = milliseconds
  }
}
