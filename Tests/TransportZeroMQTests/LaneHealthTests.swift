import Pipeline
import Testing

@testable import TransportZeroMQ

struct LaneHealthTests {
  private func moment(_ milliseconds: Int64) -> Moment { Moment(unixMilliseconds: milliseconds) }

  private func expect(_ health: inout LaneHealth, at milliseconds: Int64, asksForNewLane expected: Bool) {
    let asks = health.receiverSpoke(at: moment(milliseconds))
    #expect(asks == expected)
  }

  @Test func `a lane that takes messages is never made anew`() {
    var health = LaneHealth()
    expect(&health, at: 1_000_000, asksForNewLane: false)
    health.blocked(at: moment(0))
    health.cleared()
    expect(&health, at: 1_000_000, asksForNewLane: false)
  }

  @Test
  func
    `ten break-offs in a row are reason to wait, longer each time, and those that come one by one are not`()
  {
    var breakOffs = BreakOffs()
    for pause in [500, 1_000, 2_000, 4_000, 5_000, 5_000] as [Int64] {
      let answers = (0..<10).map { breakOffs.pause(at: moment($0 * 20)) }
      #expect(answers == [Int64?](repeating: nil, count: 9) + [pause])
    }
    for second in 1..<100 {
      let pause = breakOffs.pause(at: moment(Int64(second) * 5_000))
      #expect(pause == nil)
    }
  }

  @Test func `five seconds of silence count from its beginning, and once`() {
    var health = LaneHealth()
    health.blocked(at: moment(1_000))
    health.blocked(at: moment(4_000))
    expect(&health, at: 5_999, asksForNewLane: false)
    expect(&health, at: 6_000, asksForNewLane: true)
    expect(&health, at: 60_000, asksForNewLane: false)
  }
}
