import Pipeline
import Roles
import Testing

struct CarePaceTests {
  private let now = Moment(unixMilliseconds: 1_000)

  private func wait(_ microseconds: Int64, isQuiet: Bool = false, isWaiting: Bool = false) -> Int64 {
    CarePace.next(after: microseconds, at: now, isQuiet: isQuiet, isWaiting: isWaiting)
      .milliseconds(since: now)
  }

  @Test func `while jobs are under way, steps take 3 % of the time`() {
    #expect(wait(4_000) == 124)
    #expect(wait(100) == 4)
    #expect(wait(0) == 1)
    #expect(wait(-5) == 1)
  }

  @Test func `however long a step was, the next one comes`() {
    #expect(wait(60_000_000) == 2_000)
    #expect(wait(.max) == 2_000)
  }

  @Test func `in a quiet fleet one step follows another, unless the disk is not ready`() {
    #expect(wait(4_000, isQuiet: true) == 0)
    #expect(wait(4_000, isQuiet: true, isWaiting: true) == 20)
  }
}
