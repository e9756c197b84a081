import Pipeline
import Testing

@testable import Roles

struct HostHealthTests {
  private func at(_ seconds: Int64) -> Moment { Moment(unixMilliseconds: seconds * 1_000) }

  /// A host that failed ten times by second 0.
  private func slowed() -> HostHealth {
    var health = HostHealth()
    for _ in 1...10 { _ = health.failed("a", .connect, at: at(0)) }
    return health
  }

  private func givenUp() -> HostHealth {
    var health = slowed()
    for _ in 1...5 {
      health.started("a")
      _ = health.failed("a", .timeout, at: at(100))
    }
    return health
  }

  @Test func `nine failures change nothing, the tenth slows the host down`() {
    var health = HostHealth()
    for _ in 1...9 { #expect(health.failed("a", .connect, at: at(0)) == []) }
    #expect(health.failed("b", .connect, at: at(0)) == [])
    #expect(health.failed("a", .connect, at: at(0)) == [.init(host: "a", change: .slowDown(until: at(1)))])
    #expect(health.verdict(on: "a", at: at(0)) == nil)
  }

  @Test func `a success in between starts the count anew`() {
    var health = HostHealth()
    for _ in 1...9 { _ = health.failed("a", .connect, at: at(0)) }
    #expect(health.succeeded("a") == [])
    for _ in 1...9 { #expect(health.failed("a", .connect, at: at(0)) == []) }
    #expect(health.failed("a", .connect, at: at(0)).count == 1)
  }

  @Test func `what was under way when the host was slowed down decides nothing`() {
    var health = slowed()
    for _ in 1...7 { #expect(health.failed("a", .connect, at: at(0)) == []) }
    health.started("a")
    #expect(health.failed("a", .connect, at: at(1)) == [.init(host: "a", change: .slowDown(until: at(3)))])
  }

  @Test func `pauses double, and five failed probes give the host up`() {
    var health = slowed()
    for pause: Int64 in [2, 4, 8, 16] {
      health.started("a")
      #expect(
        health.failed("a", .connect, at: at(50)) == [
          .init(host: "a", change: .slowDown(until: at(50 + pause)))
        ])
    }
    health.started("a")
    let orders = health.failed("a", .timeout, at: at(60))
    guard case .giveUp(let verdict) = orders.first?.change else {
      Issue.record("\(orders)")
      return
    }
    #expect(verdict.kind == .timeout)
    #expect(verdict.failures == 15)
    #expect(verdict.until == at(660))
    #expect(health.verdict(on: "a", at: at(659)) == verdict)
    #expect(health.verdict(on: "a", at: at(660)) == nil)
    #expect(health.verdict(on: "b", at: at(60)) == nil)
  }

  @Test(
    arguments: [
      (limit: 1, slow: 1), (2, 1), (5, 1), (6, 1), (7, 2), (14, 9), (15, 10), (16, 10), (40, 10),
    ])
  func `a host is given up after as many failures in a row as the limit says`(limit: Int, slow: Int) {
    var health = HostHealth(givesUpAfter: limit)
    var slowedAfter: Int?
    for failure in 1..<limit {
      if slowedAfter != nil { health.started("a") }
      let orders = health.failed("a", .connect, at: at(0))
      if slowedAfter == nil, !orders.isEmpty { slowedAfter = failure }
      #expect(health.verdict(on: "a", at: at(0)) == nil)
    }
    health.started("a")
    let last = health.failed("a", .connect, at: at(0))
    #expect(slowedAfter ?? limit == slow)
    #expect(health.verdict(on: "a", at: at(599))?.failures == limit)
    #expect(last.last?.change == health.verdict(on: "a", at: at(0)).map { .giveUp($0) })
    // Whatever comes after the ten minutes comes one at a time.
    #expect(slow < limit || last.first == .init(host: "a", change: .slowDown(until: at(1))))
    #expect(health.verdict(on: "a", at: at(600)) == nil)
    health.started("a")
    #expect(health.failed("a", .connect, at: at(600)).count == 1)
    #expect(health.verdict(on: "a", at: at(601)) != nil)
  }

  @Test(arguments: [nil, 1_000])
  func `whoever wants each page tried waits a second between two`(limit: Int?) {
    var health = HostHealth(givesUpAfter: limit)
    for _ in 1...9 { #expect(health.failed("a", .connect, at: at(0)) == []) }
    #expect(health.failed("a", .connect, at: at(0)) == [.init(host: "a", change: .slowDown(until: at(1)))])
    for pause in [Int64](repeating: 1, count: 100) {
      health.started("a")
      #expect(
        health.failed("a", .connect, at: at(50)) == [
          .init(host: "a", change: .slowDown(until: at(50 + pause)))
        ])
      #expect(health.verdict(on: "a", at: at(50)) == nil)
    }
    #expect(health.succeeded("a") == [.init(host: "a", change: .free)])
  }

  @Test func `after that one more failure gives it up again, and a success frees it`() {
    var health = givenUp()
    health.started("a")
    let orders = health.failed("a", .connect, at: at(800))
    guard case .giveUp(let verdict) = orders.first?.change else {
      Issue.record("\(orders)")
      return
    }
    #expect(verdict.until == at(1_400))
    health.started("a")
    #expect(health.succeeded("a") == [.init(host: "a", change: .welcomeBack)])
    #expect(health.isEmpty)
    #expect(health.verdict(on: "a", at: at(801)) == nil)
  }

  @Test(arguments: ["a", nil])
  func `a host that is thought to be back is tried once before the time is over`(host: String?) {
    var health = givenUp()
    health.forgive("b", at: at(110))
    #expect(health.verdict(on: "a", at: at(110)) != nil)
    health.forgive(host, at: at(110))
    #expect(health.verdict(on: "a", at: at(110)) == nil)
    #expect(health.troubles(at: at(110)) == (slow: 1, givenUp: 0, asked: 0))
    health.started("a")
    #expect(health.failed("a", .connect, at: at(111)).count == 1)
    #expect(health.verdict(on: "a", at: at(111))?.until == at(711))
    health.forgive(host, at: at(112))
    #expect(health.succeeded("a") == [.init(host: "a", change: .welcomeBack)])
    health.forgive(host, at: at(113))
    #expect(health.isEmpty)
  }

  @Test func `a host that takes connections and answers nothing is named, and asked as ever`() {
    var health = HostHealth()
    for _ in 1...9 { health.wasSlow("a") }
    #expect(health.worst(at: at(0)).isEmpty)
    for _ in 1...2 { health.wasSlow("a") }
    let report = HostHealth.Report(host: "a", state: .slow, failures: 11, kind: .timeout, inMs: 0)
    #expect(health.worst(at: at(0)) == [report])
    #expect(health.troubles(at: at(0)) == (slow: 1, givenUp: 0, asked: 0))
    for _ in 1...10 { _ = health.failed("a", .connect, at: at(1)) }
    #expect(health.worst(at: at(1)).map(\.kind) == [.connect], "once")
    #expect(health.succeeded("a") == [.init(host: "a", change: .free)])
    #expect(health.isEmpty && health.worst(at: at(2)).isEmpty)
  }

  @Test func `a host that asked to wait is named as long as its jobs do`() {
    var health = HostHealth()
    #expect(health.asked("a", .httpStatus, until: at(60), budget: 900_000, at: at(0)).isEmpty)
    let report = HostHealth.Report(
      host: "a", state: .askedToWait, failures: 1, kind: .httpStatus, inMs: 50_000)
    #expect(health.worst(at: at(10)) == [report])
    #expect(health.troubles(at: at(10)) == (slow: 0, givenUp: 0, asked: 1))
    #expect(health.worst(at: at(60)).isEmpty)
  }

  @Test func `troubles are counted`() {
    var health = givenUp()
    for _ in 1...10 { _ = health.failed("b", .tls, at: at(100)) }
    #expect(health.troubles(at: at(100)) == (slow: 1, givenUp: 1, asked: 0))
    #expect(health.troubles(at: at(701)) == (slow: 2, givenUp: 0, asked: 0))
  }

  @Test func `hosts that fail now and then are forgotten, however many there are`() {
    var health = HostHealth()
    for _ in 1...9 { _ = health.failed("a", .connect, at: at(0)) }
    for number in 0..<20_000 { _ = health.failed("h\(number)", .connect, at: at(1)) }
    #expect(health.failed("a", .connect, at: at(2)) == [])
  }

  @Test func `there is an end to the hosts in trouble, and the oldest make room`() {
    var health = HostHealth()
    func fail(_ host: String, _ moment: Moment) -> [HostHealth.Order] {
      (1...10).flatMap { _ in health.failed(host, .connect, at: moment) }
    }
    for number in 0..<HostHealth.mostInTrouble { #expect(fail("h\(number)", at(0)).count == 1) }
    #expect(fail("one more", at(10)) == [])
    #expect(health.troubles(at: at(10)).slow == HostHealth.mostInTrouble)
    let orders = fail("much later", at(2_000))
    #expect(orders.last == .init(host: "much later", change: .slowDown(until: at(2_001))))
    #expect(orders.count { $0.change == .free } == HostHealth.mostInTrouble)
    #expect(health.troubles(at: at(2_000)).slow == 1)
  }
}
