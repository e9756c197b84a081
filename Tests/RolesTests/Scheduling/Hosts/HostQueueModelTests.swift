import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Chance against a plain description of the rules.
struct HostQueueModelTests {
  private struct Model {
    var queued: [String: [Int]] = [:]
    var gone: Set<Int> = []
    var running: [String: Int] = [:]
    var nextStart: [String: Int64] = [:]
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `what starts may start, and what may start does`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let perHost = Int.random(in: 1...3, using: &random)
    let delay = Int64.random(in: 0...20, using: &random)
    var queue = HostQueue<Int>(perHost: perHost, delayMilliseconds: delay)
    var model = Model()
    var now: Int64 = 0
    for item in 0..<2_000 {
      let host = "h\(Int.random(in: 0..<5, using: &random))"
      let moment = Moment(unixMilliseconds: now)
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1:
        queue.add(item, host: host, at: moment)
        model.queued[host, default: []].append(item)
      case 2:
        guard let running = model.running[host], running > 0 else { continue }
        queue.ended(host: host, at: moment)
        model.running[host] = running - 1
      case 3:
        now += Int64.random(in: 0...15, using: &random)
      case 4:
        guard let item = model.queued[host]?.randomElement(using: &random) else { continue }
        model.queued[host]?.removeAll { $0 == item }
        model.gone.insert(item)
        queue.discard(host: host)
      case 5:
        guard Int.random(in: 0..<8, using: &random) == 0 else { continue }
        queue.pause(host: host, until: Moment(unixMilliseconds: now + 30))
        model.nextStart[host] = max(model.nextStart[host] ?? 0, now + 30)
      default:
        try takeAll(from: &queue, &model, at: now, perHost: perHost, delay: delay)
      }
      try #require(queue.count() == model.queued.values.map(\.count).reduce(0, +))
    }
  }

  private func takeAll(
    from queue: inout HostQueue<Int>, _ model: inout Model, at now: Int64, perHost: Int, delay: Int64
  ) throws {
    while let next = queue.next(at: Moment(unixMilliseconds: now), where: { !model.gone.contains($0) }) {
      try #require(model.queued[next.host]?.first == next.item)
      model.queued[next.host]?.removeFirst()
      model.running[next.host, default: 0] += 1
      try #require(model.running[next.host, default: 0] <= perHost)
      try #require(model.nextStart[next.host, default: 0] <= now)
      model.nextStart[next.host] = now + delay
    }
    for (host, items) in model.queued where !items.isEmpty {
      let isBlocked = model.running[host, default: 0] >= perHost || model.nextStart[host, default: 0] > now
      try #require(isBlocked, "\(host) could have started \(items[0])")
      guard model.running[host, default: 0] < perHost else { continue }
      let wakes = try #require(queue.nextPauseEnd(), "nobody would wake \(host)")
      try #require(wakes.unixMilliseconds <= model.nextStart[host, default: 0])
    }
  }
}
