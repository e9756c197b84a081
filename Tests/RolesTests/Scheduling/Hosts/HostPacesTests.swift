import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Hosts with a pace of their own.
@Suite(.timeLimit(.minutes(10)))
struct HostPacesTests {
  private func at(_ milliseconds: Int64) -> Moment { Moment(unixMilliseconds: milliseconds) }

  @Test(arguments: [
    ("t.co", "t.co"), ("t.co:8080", "t.co"), ("a.t.co", nil), ("example.com", nil),
    ("a.example.com", "*.example.com"), ("b.a.example.com:81", "*.example.com"), ("www.example.com", "www"),
    ("x.deep.example.com", "*.deep"), ("deep.example.com", "*.example.com"), ("badexample.com", nil),
    ("[::1]", "v6"), ("[::1]:8080", "v6"), ("10.0.0.1:8080", "v4"), ("", nil),
  ])
  func `the most specific pattern wins, whatever the port`(host: String, found: String?) {
    var table = HostTable<String>()
    #expect(table.isEmpty)
    table[HostPattern("t.co")] = "t.co"
    table[HostPattern("example.com", coversSubdomains: true)] = "*.example.com"
    table[HostPattern("deep.example.com", coversSubdomains: true)] = "*.deep"
    table[HostPattern("www.example.com")] = "www"
    table[HostPattern("[::1]")] = "v6"
    table[HostPattern("10.0.0.1")] = "v4"
    #expect(table.value(host: host) == found)
  }

  @Test func `what a host has no value of its own for is as usual`() {
    var paces = HostPaces(HostPace(atOnce: 8, delayMilliseconds: 100))
    paces.atOnce[HostPattern("few.test")] = 1
    paces.delays[HostPattern("slow.test")] = 900
    #expect(paces.pace(host: "few.test:81") == HostPace(atOnce: 1, delayMilliseconds: 100))
    #expect(paces.pace(host: "slow.test") == HostPace(atOnce: 8, delayMilliseconds: 900))
    #expect(paces.pace(host: "other.test") == paces.defaultPace)
  }

  @Test func `each host keeps its own pace, and others do not wait for it`() {
    var paces = HostPaces(HostPace(atOnce: 8))
    paces.atOnce[HostPattern("slow.test")] = 2
    paces.delays[HostPattern("slow.test")] = 250
    paces.atOnce[HostPattern("fast.test")] = 20
    var load = PacedLoad(paces, hosts: ["slow.test", "usual.test", "fast.test"], items: 40)
    while load.step(lasting: 700) {}
    #expect(load.most == ["slow.test": 2, "usual.test": 8, "fast.test": 20])
    #expect(load.starts.mapValues(\.count) == ["slow.test": 40, "usual.test": 40, "fast.test": 40])
    #expect(load.shortestPause("slow.test") == 250)
    // Five rounds of eight and two of twenty, as if no other host were there.
    #expect(load.starts["usual.test"]?.last == at(4 * 700))
    #expect(load.starts["fast.test"]?.last == at(700))
  }

  @Test func `what does not wait in the queue keeps the pace of its host too`() {
    var paces = HostPaces(HostPace(atOnce: 8, delayMilliseconds: 50))
    paces.delays[HostPattern("slow.test")] = 400
    paces.atOnce[HostPattern("one.test")] = 1
    var queue = HostQueue<Int>(paces: paces)
    for host in ["slow.test:81", "one.test", "usual.test"] { queue.start(host: host, at: at(0)) }
    #expect(queue.availability(host: "slow.test:81", at: at(50)) == .soon(notBefore: at(400)))
    #expect(queue.availability(host: "slow.test:81", at: at(400)) == .now)
    #expect(queue.availability(host: "one.test", at: at(50)) == .soon(notBefore: nil))
    #expect(queue.availability(host: "usual.test", at: at(50)) == .now)
    queue.limit(host: "slow.test:81", to: 1, at: at(50))
    #expect(queue.mostSoon(host: "slow.test:81") == 2)
    #expect(queue.mostSoon(host: "one.test") == 4)
    #expect(queue.mostSoon(host: "usual.test") == 20)
  }

  @Test func `a host in trouble has one at a time, and then its own pace again`() {
    var paces = HostPaces(HostPace(atOnce: 8))
    paces.atOnce[HostPattern("a.test")] = 3
    var queue = HostQueue<Int>(paces: paces)
    for item in 0..<9 { queue.add(item, host: "a.test", at: at(0)) }
    queue.limit(host: "a.test", to: 1, at: at(0))
    #expect(queue.next(at: at(0)) != nil)
    #expect(queue.next(at: at(0)) == nil)
    queue.limit(host: "a.test", to: nil, at: at(0))
    for _ in 0..<2 { #expect(queue.next(at: at(0)) != nil) }
    #expect(queue.next(at: at(0)) == nil)
  }
}

/// A queue whose items all take the same time, on a clock of its own.
private struct PacedLoad {
  private var queue: HostQueue<Int>
  private var now = Moment(unixMilliseconds: 0)
  private var ends = MinHeap<Moment, String>()
  private var running: [String: Int] = [:]
  private(set) var most: [String: Int] = [:]
  private(set) var starts: [String: [Moment]] = [:]

  init(_ paces: HostPaces, hosts: [String], items: Int) {
    queue = HostQueue(paces: paces)
    for item in 0..<items {
      for host in hosts { queue.add(item, host: host, at: now) }
    }
  }

  /// Starts what may start, and goes on to when something ends or a pause does; false when nothing is left.
  mutating func step(lasting milliseconds: Int64) -> Bool {
    while let next = queue.next(at: now) {
      running[next.host, default: 0] += 1
      most[next.host] = max(most[next.host, default: 0], running[next.host, default: 0])
      starts[next.host, default: []].append(now)
      ends.insert(next.host, at: now.advanced(byMilliseconds: milliseconds))
    }
    guard let moment = [ends.first?.key, queue.nextPauseEnd()].compactMap({ $0 }).min() else { return false }
    now = moment
    while let end = ends.first, end.key <= now {
      _ = ends.popFirst()
      running[end.value, default: 0] -= 1
      queue.ended(host: end.value, at: now)
    }
    return true
  }

  func shortestPause(_ host: String) -> Int64? {
    let moments = starts[host] ?? []
    return zip(moments.dropFirst(), moments).map { $0.milliseconds(since: $1) }.min()
  }
}
