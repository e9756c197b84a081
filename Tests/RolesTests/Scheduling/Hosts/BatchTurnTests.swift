import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Batches take turns, at each host and between hosts.
@Suite(.timeLimit(.minutes(10)))
struct BatchTurnTests {
  private let now = Moment(unixMilliseconds: 0)
  private let first = BatchID(UUIDv7(high: 9, low: 1))
  private let second = BatchID(UUIDv7(high: 1, low: 1))

  private func starts(_ queue: inout HostQueue<String>, atMost limit: Int = .max) -> [String] {
    var started: [String] = []
    while started.count < limit, let next = queue.next(at: now) { started.append(next.item) }
    return started
  }

  @Test func `a batch that came later does not wait for all hosts of an earlier one`() {
    var queue = HostQueue<String>(perHost: 8, delayMilliseconds: 0)
    for number in 1...1_000 { queue.add("a\(number)", host: "host \(number)", of: first, at: now) }
    for number in 1...3 { queue.add("b\(number)", host: "other \(number)", of: second, at: now) }
    #expect(starts(&queue, atMost: 6) == ["a1", "b1", "a2", "b2", "a3", "b3"])
  }

  @Test func `batches take turns at a host that both want`() {
    var queue = HostQueue<String>(perHost: 1, delayMilliseconds: 0)
    for number in 1...4 { queue.add("a\(number)", host: "one", of: first, at: now) }
    for number in 1...2 { queue.add("b\(number)", host: "one", of: second, at: now) }
    var started: [String] = []
    while let next = queue.next(at: now) {
      started.append(next.item)
      queue.ended(host: "one", at: now)
    }
    #expect(started == ["a1", "b1", "a2", "b2", "a3", "a4"])
  }

  @Test func `a new batch has its turn at a host that waits among the many hosts of another`() {
    var queue = HostQueue<String>(perHost: 8, delayMilliseconds: 0)
    for number in 1...1_000 { queue.add("a\(number)", host: "host \(number)", of: first, at: now) }
    queue.add("b", host: "host 900", of: second, at: now)
    #expect(starts(&queue, atMost: 4) == ["a1", "b", "a2", "a3"])
    #expect(starts(&queue).count == 997, "and nothing is lost")
  }

  @Test func `what waits is counted by batch`() {
    var queue = HostQueue<String>(perHost: 1, delayMilliseconds: 0)
    queue.add("a1", host: "one", of: first, at: now)
    queue.add("b1", host: "one", of: second, at: now)
    queue.add("b2", host: "two", of: second, at: now)
    #expect(queue.count(of: first) == 1 && queue.count(of: second) == 2)
    #expect(queue.count(of: second, host: "one") == 1)
    queue.discard(host: "one", of: second)
    #expect(queue.count(of: second) == 1 && queue.count() == 2)
    #expect(queue.next(at: now, where: { $0 != "b1" })?.item == "a1")
    #expect(queue.takeAll(host: "two", in: .starts) == ["b2"])
    #expect(queue.count(of: first) == 0 && queue.count(of: second) == 0 && queue.count() == 0)
  }

  @Test func `a host that loses what waits for it is told, and one whose pause is over`() {
    var queue = HostQueue<String>(perHost: 1, delayMilliseconds: 0)
    queue.add("a", host: "one", of: first, at: now)
    _ = queue.next(at: now)
    #expect(queue.takeShrunk() == ["one"])
    let later = now.advanced(byMilliseconds: 60_000)
    queue.limit(host: "one", to: 1, at: now)
    queue.pause(host: "one", until: later)
    queue.ended(host: "one", at: now)
    _ = queue.takeShrunk()
    #expect(queue.nextPauseEnd() == later)
    _ = queue.next(at: later)
    #expect(queue.takeShrunk() == ["one"])
  }

  @Test func `a host can start a few times what it may have at once, or what its delay allows`() {
    var queue = HostQueue<String>(perHost: 8, delayMilliseconds: 0)
    #expect(queue.mostSoon(host: "one") == 32)
    queue.limit(host: "one", to: 1, at: now)
    #expect(queue.mostSoon(host: "one") == 4)
    #expect(HostQueue<String>(perHost: 8, delayMilliseconds: 100).mostSoon(host: "one") == 10)
    #expect(HostQueue<String>(perHost: 8, delayMilliseconds: 5_000).mostSoon(host: "one") == 1)
  }
}
