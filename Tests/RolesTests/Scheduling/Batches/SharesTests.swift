import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What users are promised who share a fleet.
@Suite(.timeLimit(.minutes(10)))
struct SharesTests {
  private static func batch(
    weight: UInt32 = BatchTerms.normalWeight, jobs: UInt64 = .max,
    _ change: (inout BatchTerms) -> Void = { _ in },
    host: @escaping (UInt64) -> String
  ) -> ModelFleet.Batch {
    var terms = BatchTerms()
    terms.weight = weight
    change(&terms)
    return ModelFleet.Batch(terms: terms, host: host, jobs: jobs)
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `over any minute the shares are within 5 percent of the weights`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var fleet = ModelFleet(places: 128, seed: seed)
    let weights: [UInt32] = (0..<Int.random(in: 2...4, using: &random)).map { _ in
      [1, 5, 10, 30, 100].randomElement(using: &random) ?? 10
    }
    for (number, weight) in weights.enumerated() {
      // Half of the hosts are those of all, and the others its own.
      fleet.submit(
        Self.batch(weight: weight) {
          $0.isMultiple(of: 2) ? "h\($0 % 300).test" : "h\($0 % 300).b\(number).test"
        })
    }
    fleet.run(until: 150_000)
    let sum = Double(weights.reduce(0, +))
    for start in stride(from: Int64(2_000), to: 90_000, by: 5_000) {
      let counts = fleet.counts(in: start..<start + 60_000)
      let all = Double(counts.reduce(0, +))
      for (count, weight) in zip(counts, weights) {
        let asked = all * Double(weight) / sum
        #expect(abs(Double(count) - asked) <= max(0.05 * asked, 2), "\(count) of \(asked), \(weights)")
      }
    }
  }

  @Test(arguments: 0..<10 as Range<UInt64>)
  func `limits are never exceeded, and a paused batch starts nothing`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var fleet = ModelFleet(places: 64, seed: seed)
    let (atMost, perSecond) = (
      UInt32.random(in: 1...10, using: &random), UInt32.random(in: 1...20, using: &random)
    )
    let begin = Int64.random(in: 1...9_000, using: &random)
    fleet.submit(Self.batch(weight: 1_000, { $0.atMost = atMost }, host: { "h\($0 % 50).test" }))
    fleet.submit(Self.batch(weight: 1_000, { $0.perHour = perSecond * 3_600 }, host: { "h\($0 % 50).test" }))
    fleet.submit(
      Self.batch(weight: 100, { $0.startsAt = Moment(unixMilliseconds: begin) }, host: { "h\($0 % 50).test" })
    )
    fleet.submit(Self.batch { "h\($0 % 50).test" })
    fleet.run(until: 20_000)
    fleet.pause(3, true)
    fleet.run(until: 40_000)
    fleet.pause(3, false)
    fleet.run(until: 60_000)
    #expect(fleet.most[0] == Int(atMost))
    let rated = fleet.starts.filter { $0.batch == 1 }.map(\.at)
    #expect(rated.count >= Int(perSecond) * 50)
    for index in rated.indices.dropFirst(Int(perSecond)) {
      #expect(rated[index] - rated[index - Int(perSecond)] >= 1_000)
    }
    #expect(fleet.starts.filter { $0.batch == 2 }.map(\.at).min().map { $0 >= begin } == true)
    #expect(fleet.counts(in: 20_001..<40_000)[3] == 0)
    #expect(fleet.counts(in: 40_000..<60_000)[3] > 0)
  }

  @Test func `the least weight beside the greatest still has its part`() {
    var fleet = ModelFleet(places: 256)
    fleet.submit(Self.batch(weight: BatchTerms.mostWeight) { "h\($0 % 300).test" })
    fleet.submit(Self.batch(weight: 1) { "h\($0 % 300).test" })
    fleet.run(until: 60_000)
    let counts = fleet.counts(in: 0..<60_000)
    #expect(abs(counts[0] / counts[1] - 1_000) <= 100)
  }

  @Test func `batches take turns at a slow host, however many others one of them has`() {
    var fleet = ModelFleet(places: 16, perHost: 1, taking: 900...1_100)
    fleet.submit(Self.batch { _ in "slow.test" })
    fleet.run(until: 20_000)
    fleet.submit(Self.batch(weight: 30) { $0.isMultiple(of: 40) ? "slow.test" : "h\($0 % 100).test" })
    fleet.run(until: 120_000)
    let slow = fleet.starts.filter { $0.host == "slow.test" && $0.at > 20_000 }
    let others = slow.count { $0.batch == 1 }
    #expect(others * 4 >= slow.count && others < slow.count)
    let first = slow.firstIndex { $0.batch == 1 }
    #expect(first.map { $0 <= 2 } == true)
  }

  /// 50,000 links of one slow host, a million of many, and an urgent ten.
  @Test func `an urgent ten beside a million start in the next turn`() {
    var fleet = ModelFleet(places: 512)
    fleet.submit(Self.batch(jobs: 50_000) { _ in "slow.test" })
    fleet.submit(Self.batch(jobs: 1_000_000) { "h\($0 % 20_000).test" })
    fleet.run(until: 30_000)
    let before = fleet.starts.count
    fleet.submit(Self.batch(weight: BatchTerms.highWeight, jobs: 10) { "h\($0 * 7).test" })
    fleet.run(until: 35_000)
    let ten = fleet.starts[before...].enumerated().filter { $0.element.batch == 2 }
    #expect(ten.count == 10)
    #expect(ten.map(\.offset).max().map { $0 < 12 } == true, "\(ten.map(\.offset))")
    #expect(ten.map(\.element.at).max().map { $0 <= 30_200 } == true)
  }
}
