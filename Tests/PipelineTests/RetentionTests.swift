import Pipeline
import Testing

struct RetentionTests {
  private static let hour: Int64 = 3_600_000
  private static let day = 24 * hour
  private let now = Moment(unixMilliseconds: 100 * day)

  private func moment(_ days: Int64) -> Moment { Moment(unixMilliseconds: days * Self.day) }

  @Test func `without gaps the limit is as old as was asked for`() {
    let retention = Retention()
    #expect(retention.limit(7 * Self.day, isUnread: true, at: now) == moment(93))
    #expect(retention.limit(7 * Self.day, isUnread: false, at: now) == moment(93))
  }

  @Test func `a jump of eight days makes nothing old, and read rows have a day's grace`() {
    let retention = Retention([ClockGap(began: moment(92), ended: now)])
    for isUnread in [true, false] {
      #expect(retention.limit(7 * Self.day, isUnread: isUnread, at: now) == moment(85))
    }
    let later = now.advanced(byMilliseconds: Self.day)
    #expect(retention.limit(7 * Self.day, isUnread: false, at: later) == moment(94))
    #expect(retention.limit(7 * Self.day, isUnread: true, at: later) == moment(86))
    let afterAll = now.advanced(byMilliseconds: 8 * Self.day)
    #expect(retention.limit(7 * Self.day, isUnread: true, at: afterAll) == moment(101))
  }

  @Test func `several gaps count one after another`() {
    let retention = Retention([
      ClockGap(began: moment(80), ended: moment(90)), ClockGap(began: moment(95), ended: moment(99)),
    ])
    // One day since the last gap, five before it, one before the first.
    #expect(retention.limit(7 * Self.day, isUnread: true, at: now) == moment(79))
  }

  @Test func `a clock that went back makes nothing old sooner`() {
    let retention = Retention([ClockGap(began: moment(106), ended: moment(98))])
    for isUnread in [true, false] {
      #expect(retention.limit(7 * Self.day, isUnread: isUnread, at: now) == moment(93))
    }
  }

  @Test(arguments: [(0, false), (hour, false), (hour + 1, true), (-30_000, false), (-61_000, true)])
  func `only what is more than a restart is a gap`(milliseconds: Int64, isGap: Bool) {
    let gap = ClockGap(since: now, at: now.advanced(byMilliseconds: milliseconds))
    #expect((gap != nil) == isGap)
  }
}
