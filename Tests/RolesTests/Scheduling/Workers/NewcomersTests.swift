import Pipeline
import Testing

@testable import Roles

struct NewcomersTests {
  private let start = Moment(unixMilliseconds: 1_700_000_000_000)

  @Test func `a peer that invents workers is slowed down, and others are not`() {
    var newcomers = Newcomers()
    let brought = (0..<2_000).count { _ in newcomers.mayBring("flood", at: start) }
    #expect(brought == 64)
    let isOtherWelcome = newcomers.mayBring("other", at: start)
    #expect(isOtherWelcome)
    let later = start.advanced(byMilliseconds: 3_500)
    let more = (0..<9).count { _ in newcomers.mayBring("flood", at: later) }
    #expect(more == 3)
  }

  @Test func `many peers take bounded room, and give it back`() {
    var newcomers = Newcomers()
    // Each uses up one of its own, so none of them is as it began.
    let brought = (0..<5_000).count { newcomers.mayBring("peer \($0)", at: start) }
    #expect(brought == 1_024)
    let isLateWelcome = newcomers.mayBring("late", at: start.advanced(byMilliseconds: 60_000))
    #expect(isLateWelcome)
  }

  @Test func `workers of this process are not counted`() {
    var newcomers = Newcomers()
    let brought = (0..<500).count { _ in newcomers.mayBring(nil, at: start) }
    #expect(brought == 500)
  }
}
