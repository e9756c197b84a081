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

  @Test func `five seconds of silence count from its beginning, and once`() {
    var health = LaneHealth()
    health.blocked(at: moment(1_000))
    health.blocked(at: moment(4_000))
    expect(&health, at: 5_999, asksForNewLane: false)
    expect(&health, at: 6_000, asksForNewLane: true)
    expect(&health, at: 60_000, asksForNewLane: false)
  }
}
