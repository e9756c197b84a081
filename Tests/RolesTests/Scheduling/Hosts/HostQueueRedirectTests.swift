import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Two sections for one host, and hosts that may have less than others.
struct HostQueueRedirectTests {
  private func at(_ milliseconds: Int64) -> Moment { Moment(unixMilliseconds: milliseconds) }

  private func drain(_ queue: inout HostQueue<Int>, _ section: HostSection, at moment: Moment)
    -> [String]
  {
    var started: [String] = []
    while let next = queue.next(in: section, at: moment) { started.append("\(next.host):\(next.item)") }
    return started
  }

  @Test func `both sections share the slots of a host`() {
    var queue = HostQueue<Int>(perHost: 2, delayMilliseconds: 0)
    for item in 1...2 { queue.add(item, host: "a", at: at(0)) }
    for item in 11...12 { queue.add(item, host: "a", in: .redirects, at: at(0)) }
    #expect(drain(&queue, .redirects, at: at(0)) == ["a:11", "a:12"])
    #expect(drain(&queue, .starts, at: at(0)) == [])
    queue.ended(host: "a", at: at(1))
    #expect(drain(&queue, .starts, at: at(1)) == ["a:1"])
    queue.ended(host: "a", at: at(2))
    queue.ended(host: "a", at: at(2))
    #expect(drain(&queue, .starts, at: at(2)) == ["a:2"])
    #expect(queue.count() + queue.count(in: .redirects) == 0)
  }

  @Test func `both sections share the pause of a host, and each wakes for its own`() {
    var queue = HostQueue<Int>(perHost: 9, delayMilliseconds: 100)
    queue.add(1, host: "a", at: at(0))
    #expect(drain(&queue, .starts, at: at(0)) == ["a:1"])
    queue.add(11, host: "a", in: .redirects, at: at(10))
    #expect(queue.nextPauseEnd(in: .redirects) == at(100))
    #expect(queue.nextPauseEnd() == nil)
    #expect(drain(&queue, .redirects, at: at(99)) == [])
    #expect(drain(&queue, .redirects, at: at(100)) == ["a:11"])
    queue.add(2, host: "a", at: at(110))
    #expect(drain(&queue, .starts, at: at(199)) == [])
    #expect(drain(&queue, .starts, at: at(200)) == ["a:2"])
  }

  @Test func `a limited host has no more than its limit until that is lifted`() {
    var queue = HostQueue<Int>(perHost: 3, delayMilliseconds: 0)
    for item in 1...6 { queue.add(item, host: "a", at: at(0)) }
    #expect(drain(&queue, .starts, at: at(0)) == ["a:1", "a:2", "a:3"])
    queue.limit(host: "a", to: 1, at: at(1))
    queue.ended(host: "a", at: at(1))
    queue.ended(host: "a", at: at(1))
    #expect(drain(&queue, .starts, at: at(1)) == [])
    queue.ended(host: "a", at: at(2))
    #expect(drain(&queue, .starts, at: at(2)) == ["a:4"])
    queue.limit(host: "a", to: nil, at: at(3))
    #expect(drain(&queue, .starts, at: at(3)) == ["a:5", "a:6"])
  }

  @Test func `a limited host is kept while nothing waits, and forgotten when it is free`() {
    var queue = HostQueue<Int>(perHost: 3, delayMilliseconds: 0)
    queue.limit(host: "a", to: 1, at: at(0))
    #expect(queue.hosts.count == 1)
    queue.limit(host: "a", to: nil, at: at(0))
    #expect(queue.hosts.count == 0)
  }

  @Test func `what is taken out neither starts nor counts`() {
    var queue = HostQueue<Int>(perHost: 1, delayMilliseconds: 0)
    for item in 1...3 { queue.add(item, host: "a", at: at(0)) }
    queue.add(11, host: "a", in: .redirects, at: at(0))
    queue.add(1, host: "b", at: at(0))
    #expect(queue.takeAll(host: "a", at: at(0)) == [11, 1, 2, 3])
    #expect(queue.takeAll(host: "c", at: at(0)) == [])
    #expect(drain(&queue, .redirects, at: at(0)) == [])
    #expect(drain(&queue, .starts, at: at(0)) == ["b:1"])
    queue.ended(host: "b", at: at(1))
    #expect(queue.hosts.count == 0)
    #expect(queue.count() + queue.count(in: .redirects) == 0)
  }

  @Test(arguments: 0..<12 as Range<UInt64>)
  func `by chance, no host has more than it may, and nobody waits for nothing`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var queue = HostQueue<Int>(perHost: 3, delayMilliseconds: 2)
    var (waiting, running, limits) = ([String: Int](), [String: Int](), [String: Int]())
    for step in 0..<4_000 {
      let host = "h\(Int.random(in: 0..<4, using: &random))"
      let now = at(Int64(step))
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        queue.add(step, host: host, in: Bool.random(using: &random) ? .redirects : .starts, at: now)
        waiting[host, default: 0] += 1
      case 2:
        guard let count = running[host], count > 0 else { continue }
        queue.ended(host: host, at: now)
        running[host] = count - 1
      case 3:
        let limit = Bool.random(using: &random) ? 1 : nil
        queue.limit(host: host, to: limit, at: now)
        limits[host] = limit
      default:
        for section in [HostSection.redirects, .starts] {
          while let next = queue.next(in: section, at: now) {
            running[next.host, default: 0] += 1
            waiting[next.host, default: 0] -= 1
            try #require(running[next.host, default: 0] <= limits[next.host] ?? 3)
          }
        }
      }
    }
    for step in 4_000..<40_000 where waiting.values.contains(where: { $0 > 0 }) {
      for host in running.keys where running[host, default: 0] > 0 {
        queue.ended(host: host, at: at(Int64(step)))
        running[host, default: 0] -= 1
      }
      for section in [HostSection.redirects, .starts] {
        while let next = queue.next(in: section, at: at(Int64(step))) {
          running[next.host, default: 0] += 1
          waiting[next.host, default: 0] -= 1
        }
      }
    }
    #expect(waiting.values.allSatisfy { $0 == 0 })
  }
}
