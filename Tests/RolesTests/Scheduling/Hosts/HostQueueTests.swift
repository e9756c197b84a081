import Pipeline
import PipelineTesting
import Testing

@testable import Roles

@Suite(.timeLimit(.minutes(10)))
struct HostQueueTests {
  private func at(_ milliseconds: Int64) -> Moment { Moment(unixMilliseconds: milliseconds) }

  /// Takes all that may start now, as `host:item`.
  private func drain(_ queue: inout HostQueue<Int>, at moment: Moment) -> [String] {
    var started: [String] = []
    while let next = queue.next(at: moment) { started.append("\(next.host):\(next.item)") }
    return started
  }

  @Test func `a host has no more jobs at once than allowed, in the order they came`() {
    var queue = HostQueue<Int>(perHost: 2, delayMilliseconds: 0)
    for item in 1...5 { queue.add(item, host: "a", at: at(0)) }
    #expect(drain(&queue, at: at(0)) == ["a:1", "a:2"])
    queue.ended(host: "a", at: at(1))
    #expect(drain(&queue, at: at(1)) == ["a:3"])
    queue.ended(host: "a", at: at(2))
    queue.ended(host: "a", at: at(2))
    #expect(drain(&queue, at: at(2)) == ["a:4", "a:5"])
    #expect(queue.count() == 0)
  }

  @Test func `hosts that have not answered, or fail again, have two jobs each and share a few places`() {
    var paces = HostPaces(HostPace(atOnce: 20))
    paces.percentUntried = 25
    var queue = HostQueue<Int>(paces: paces)
    queue.shareUntried(of: 64, at: at(0))
    for item in 1...40 {
      queue.add(item, host: "a", at: at(0))
      queue.add(item, host: "b", at: at(0))
    }
    #expect(drain(&queue, at: at(0)).count == 2 + 2 + 16)
    #expect(queue.startable(at: at(0)) == 0, "what waits for a place cannot start")
    #expect(["a", "b"].allSatisfy { queue.hosts[$0]?.waitsForPlace == true })
    queue.tried(host: "a", answers: true, at: at(1))
    #expect(drain(&queue, at: at(1)).count { $0.hasPrefix("a") } == 20 - 10)
    queue.tried(host: "a", answers: false, at: at(2))
    queue.ended(host: "a", at: at(2))
    #expect(drain(&queue, at: at(2)) == [])
    for _ in 0..<18 { queue.ended(host: "a", at: at(3)) }
    #expect(drain(&queue, at: at(3)) == ["a:21"])
    queue.ended(host: "b", at: at(4))
    #expect(drain(&queue, at: at(4)).count == 1)
    queue.add(41, host: "a", in: .redirects, at: at(5))
    #expect(queue.next(in: .redirects, at: at(5))?.item == 41)
  }

  @Test func `hosts take turns, however many jobs one of them has`() {
    var queue = HostQueue<Int>(perHost: 10, delayMilliseconds: 0)
    for item in 1...4 { queue.add(item, host: "big", at: at(0)) }
    queue.add(1, host: "b", at: at(0))
    queue.add(1, host: "c", at: at(0))
    #expect(drain(&queue, at: at(0)) == ["big:1", "b:1", "c:1", "big:2", "big:3", "big:4"])
  }

  @Test(arguments: [2, 3])
  func `batches that are refilled one by one take turns at a host`(batches: UInt64) {
    let ids = (1...batches).map { BatchID(UUIDv7(high: $0, low: 1)) }
    var queue = HostQueue<Int>(perHost: 1, delayMilliseconds: 0)
    for (item, id) in ids.enumerated() { queue.add(item, host: "a", of: id, at: at(0)) }
    var started: [Int] = []
    for _ in 0..<30 {
      guard let next = queue.next(at: at(0)) else { break }
      started.append(next.item)
      queue.add(next.item, host: "a", of: ids[next.item], at: at(0))
      queue.ended(host: "a", at: at(0))
    }
    #expect(started == (0..<30).map { $0 % ids.count })
  }

  @Test func `a host pauses between two starts, and others do not wait for it`() {
    var queue = HostQueue<Int>(perHost: 10, delayMilliseconds: 100)
    for item in 1...3 { queue.add(item, host: "a", at: at(0)) }
    queue.add(1, host: "b", at: at(0))
    #expect(drain(&queue, at: at(0)) == ["a:1", "b:1"])
    #expect(queue.nextPauseEnd() == at(100))
    #expect(drain(&queue, at: at(99)) == [])
    #expect(drain(&queue, at: at(100)) == ["a:2"])
    #expect(drain(&queue, at: at(250)) == ["a:3"])
  }

  @Test func `the pause of a host outlasts its last job`() {
    var queue = HostQueue<Int>(perHost: 1, delayMilliseconds: 100)
    queue.add(1, host: "a", at: at(0))
    #expect(drain(&queue, at: at(0)) == ["a:1"])
    queue.ended(host: "a", at: at(10))
    queue.add(2, host: "a", at: at(20))
    #expect(drain(&queue, at: at(99)) == [])
    #expect(drain(&queue, at: at(100)) == ["a:2"])
  }

  @Test(arguments: ["idle", "queued", "running"])
  func `a host that asked for peace has it`(host: String) {
    var queue = HostQueue<Int>(perHost: 1, delayMilliseconds: 0)
    if host != "idle" { queue.add(0, host: "a", at: at(0)) }
    if host == "running" { #expect(drain(&queue, at: at(0)) == ["a:0"]) }
    queue.pause(host: "a", until: at(1_000))
    queue.pause(host: "a", until: at(500))
    #expect(queue.nextStart(host: "a") == at(1_000))
    if host == "running" { queue.ended(host: "a", at: at(10)) }
    if host != "queued" { queue.add(0, host: "a", at: at(10)) }
    #expect(drain(&queue, at: at(999)) == [])
    #expect(drain(&queue, at: at(1_000)) == ["a:0"])
  }

  @Test func `a host that is only paused is forgotten when its pause is over`() {
    var queue = HostQueue<Int>(perHost: 1, delayMilliseconds: 0)
    queue.pause(host: "a", until: at(1_000))
    #expect(queue.nextPauseEnd() == at(1_000))
    #expect(drain(&queue, at: at(1_000)) == [])
    #expect(queue.nextPauseEnd() == nil)
  }

  /// The items are so heavy that copying the queue with every start would run into the suite's time limit.
  @Test(arguments: [1, 2, 12_000])
  func `a large queue gives everything out once, moving each job a few times`(hosts: Int) {
    let count = 12_000
    var queue = HostQueue<HeavyItem>(perHost: 1, delayMilliseconds: 0)
    for number in 0..<count { queue.add(HeavyItem(number), host: "h\(number % hosts)", at: at(0)) }
    var started = [Int](repeating: 0, count: count)
    while let next = queue.next(at: at(0)) {
      started[next.item.number] += 1
      queue.ended(host: next.host, at: at(0))
    }
    #expect(started.allSatisfy { $0 == 1 })
  }
}

private struct HeavyItem {
  let number: Int
  private let weight = InlineArray<256, UInt64>(repeating: 0)

  init(_ number: Int) {
    self.number = number
  }
}

extension HostQueue {
  /// The same pace for all hosts.
  init(perHost: Int, delayMilliseconds: Int64) {
    let pace = HostPace(atOnce: perHost, delayMilliseconds: delayMilliseconds)
    self.init(paces: HostPaces(pace))
  }
}
