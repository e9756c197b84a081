import Pipeline
import PipelineTesting
import Testing

@testable import Roles

struct StartRateTests {
  private func moment(_ milliseconds: Int64) -> Moment { Moment(unixMilliseconds: milliseconds) }

  /// Starts as often as it may, looked at in steps of chance.
  private func starts(perHour: UInt32, for milliseconds: Int64, seed: UInt64) -> [Int64] {
    var random = SeededGenerator(seed: seed)
    var rate = StartRate(perHour: perHour, isNew: true, at: moment(0))
    var (now, starts): (Int64, [Int64]) = (0, [])
    while now < milliseconds {
      while rate.mayStart(at: moment(now)) {
        rate.started(at: moment(now))
        starts.append(now)
      }
      let next = rate.next(at: moment(now)).unixMilliseconds
      now = max(now + 1, next + .random(in: 0...20, using: &random))
    }
    return starts
  }

  @Test(arguments: [
    (1, 1_000), (7, 1_000), (100, 1_000), (900, 1_000), (5_000, 1_000), (7, 60_000), (100, 3_600_000),
  ])
  func `no span has more starts than it may, and a busy loop loses few`(most: Int, span: Int64) {
    let perHour = UInt32(Int64(most) * 3_600_000 / span)
    let length = max(10 * span, 20_000)
    for seed in 0..<3 as Range<UInt64> {
      let starts = starts(perHour: perHour, for: length, seed: seed)
      for index in starts.indices.dropFirst(most) {
        #expect(starts[index] - starts[index - most] >= span, "start \(index) of \(most) in \(span) ms")
        if starts[index] - starts[index - most] < span { return }
      }
      #expect(Double(starts.count) >= 0.93 * Double(length / span) * Double(most))
    }
  }

  @Test func `what starts is spread over the span`() {
    let starts = starts(perHour: 36_000, for: 5_000, seed: 1)
    for (before, after) in zip(starts.dropFirst(2), starts.dropFirst(3)) { #expect(after - before >= 70) }
  }

  @Test func `after a restart it counts as used up`() {
    var rate = StartRate(perHour: 3_600, isNew: false, at: moment(0))
    #expect(rate.mayStart(at: moment(0)) == false)
    #expect(rate.next(at: moment(0)) == moment(1_000))
    #expect(rate.mayStart(at: moment(1_000)) == true)
  }
}
