import Testing

@testable import HTTPMessages

/// The macro takes no call that changes what it is called on.
private func check(_ condition: Bool, at place: SourceLocation = #_sourceLocation) {
  #expect(condition, sourceLocation: place)
}

@Suite struct RuleTests {
  @Test(arguments: [
    ("localhost", true), ("LOCALHOST:80", true), ("127.0.0.1:7780", true), ("[::1]", true), ("[::1]:1", true),
    ("192.0.2.7:80", true), ("links.example", true), ("evil.example", false),
    ("localhost.evil.example", false),
    ("evil.example:127.0.0.1", false), ("127.0.0.2", false), ("[::2]:1", false), ("", false),
  ])
  func `only known names are answered`(host: String, isAllowed: Bool) {
    #expect(HostRule(listeningAt: "192.0.2.7", names: ["Links.example"]).allows(host) == isAllowed)
  }

  @Test func `an address that stands for all is no name`() {
    #expect(!HostRule(listeningAt: "0.0.0.0").allows("0.0.0.0:80"))
    #expect(!HostRule(listeningAt: "::").allows("[::]:80"))
    #expect(HostRule(listeningAt: "2001:db8::1").allows("[2001:db8::1]:80"))
    #expect(!HostRule().allows(nil))
  }

  @Test(arguments: [
    ("GET", "Sec-Fetch-Site: cross-site", true), ("HEAD", "Origin: http://evil.example", true),
    ("OPTIONS", "Origin: null", true), ("POST", "X: 1", true),
    ("POST", "Sec-Fetch-Site: same-origin", true), ("POST", "Sec-Fetch-Site: none", true),
    ("POST", "Sec-Fetch-Site: same-site", false), ("DELETE", "Sec-Fetch-Site: cross-site", false),
    ("POST", "Sec-Fetch-Site: cross-site\r\nOrigin: http://a:1", false),
    ("POST", "Origin: http://a:1", true), ("PUT", "Origin: HTTP://A:1", true),
    ("POST", "Origin: http://a:2", false), ("POST", "Origin: http://a", false),
    ("PATCH", "Origin: null", false), ("POST", "Origin: http://evil.example", false),
    ("BREW", "Origin: http://evil.example", false),
  ])
  func `pages of other sites change nothing`(method: String, field: String, isAllowed: Bool) throws {
    var parser = RequestParser()
    parser.receive(Array("\(method) / HTTP/1.1\r\nHost: a:1\r\n\(field)\r\n\r\n".utf8))
    guard case .head(let head) = parser.next() else {
      Issue.record("no head")
      return
    }
    #expect(CrossSiteRule.allows(head) == isAllowed)
  }

  @Test func `a bucket gives its burst, then so many a second`() {
    var bucket = TokenBucket(burst: 3, perSecond: 2, at: 0)
    for _ in 0..<3 { check(bucket.take(at: 0) == nil) }
    check(bucket.take(at: 0) == 1)
    check(bucket.take(at: 499) == 1)
    check(bucket.take(at: 500) == nil)
    check(bucket.take(at: 400) == 1)
    #expect(!bucket.isFull(at: 1_000))
    #expect(bucket.isFull(at: 60_000))
    for _ in 0..<3 { check(bucket.take(at: 60_000) == nil) }
    check(bucket.take(at: 60_000) == 1)
    var slow = TokenBucket(burst: 1, perSecond: 0.1, at: 0)
    check(slow.take(at: 0) == nil)
    check(slow.take(at: 0) == 10)
  }
}

@Suite struct ConnectionRuleTests {
  private func rule(_ change: (inout ConnectionLimits) -> Void = { _ in }) -> ConnectionRule {
    var limits = ConnectionLimits()
    change(&limits)
    return ConnectionRule(limits, at: 0)
  }

  @Test func `an idle connection is closed`() {
    var rule = rule()
    #expect(rule.deadline == 20_000)
    check(!rule.isLate(at: 19_999))
    check(rule.isLate(at: 20_000))
  }

  @Test func `a head's time runs from its first byte, and further bytes add nothing`() {
    var rule = rule()
    rule.requestBegan(at: 5_000)
    rule.requestBegan(at: 9_000)
    #expect(rule.deadline == 15_000)
    check(rule.isLate(at: 15_000))
  }

  @Test func `a body has a second more for each 16 KiB that came`() {
    var rule = rule()
    rule.requestBegan(at: 0)
    rule.headCame(at: 1_000)
    #expect(rule.deadline == 11_000)
    rule.moved(16 << 10)
    rule.moved(8 << 10)
    #expect(rule.deadline == 12_500)
  }

  @Test func `the server's own work has no deadline`() {
    var rule = rule()
    rule.headCame(at: 0)
    rule.workBegan(at: 1)
    #expect(rule.deadline == nil)
    check(!rule.isLate(at: 1_000_000))
    rule.answerEnded(at: 2_000)
    #expect(rule.deadline == 22_000)
  }

  @Test func `a client that takes too little of its answer is cut`() {
    var rule = rule()
    rule.workBegan(at: 0)
    rule.clientIsSlow(at: 0)
    rule.moved(30 << 10)
    check(!rule.isLate(at: 30_000))
    #expect(rule.deadline == 60_000)
    rule.moved(30 << 10 - 1)
    rule.clientIsSlow(at: 50_000)
    check(rule.isLate(at: 60_000))
  }

  @Test func `a client that took all waits for more, or may ask again`() {
    var rule = rule()
    rule.workBegan(at: 0)
    rule.clientIsSlow(at: 0)
    rule.clientTookAll(at: 1)
    #expect(rule.phase == .working)
    rule.clientIsSlow(at: 2)
    rule.answerEnded(at: 3)
    #expect(rule.phase == .answering)
    rule.clientTookAll(at: 4)
    #expect(rule.phase == .idle)
  }

  @Test func `a connection has its number of requests, and its age`() {
    var rule = rule { $0.requests = 2 }
    rule.headCame(at: 0)
    #expect(rule.mayGoOn(at: 0))
    #expect(!rule.mayGoOn(at: 3_600_000))
    rule.headCame(at: 1)
    #expect(!rule.mayGoOn(at: 1))
  }

  /// What has happened, and how slow the client is then.
  struct Standing: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let range: ClosedRange<Double>?
    let events: @Sendable (inout ConnectionRule) -> Void

    init(
      _ name: String, _ range: ClosedRange<Double>?,
      _ events: @escaping @Sendable (inout ConnectionRule) -> Void
    ) {
      (testDescription, self.range, self.events) = (name, range, events)
    }
  }

  private static let slow = 1.01...1_000
  private static let honest = 0...0.99

  @Test(arguments: [
    Standing("it was accepted just now", honest) { $0 = ConnectionRule(ConnectionLimits(), at: 98_500) },
    Standing("it has been silent since it was accepted", slow) {
      $0 = ConnectionRule(ConnectionLimits(), at: 97_000)
    },
    Standing("its head began just now", honest) { $0.requestBegan(at: 99_500) },
    Standing("its head takes longer than a second", slow) { $0.requestBegan(at: 98_900) },
    Standing("its body began just now", honest) { $0.headCame(at: 99_500) },
    Standing("its body does not come", slow) { $0.headCame(at: 98_900) },
    Standing("its body comes fast enough", honest) {
      $0.headCame(at: 90_000)
      $0.moved(160 << 10)
    },
    Standing("its body comes too slowly", slow) {
      $0.headCame(at: 90_000)
      $0.moved(120 << 10)
    },
    Standing("its answer is being made", nil) {
      $0.headCame(at: 0)
      $0.workBegan(at: 0)
    },
    Standing("it reads its answer", nil) {
      $0.workBegan(at: 0)
      $0.clientIsSlow(at: 90_000)
      $0.moved(10 << 10)
    },
    Standing("it stopped to read its answer for a moment", honest) {
      $0.workBegan(at: 0)
      $0.clientIsSlow(at: 90_000)
      $0.moved(8 << 10)
    },
    Standing("it does not read its answer", slow) {
      $0.workBegan(at: 0)
      $0.clientIsSlow(at: 96_000)
    },
    Standing("it waits for its next request", 1...1) {
      $0.headCame(at: 0)
      $0.answerEnded(at: 1)
    },
    Standing("it has had its last answer for a moment", honest) { $0.lingeringBegan(at: 99_950) },
    Standing("it has had its last answer, and stays", slow) {
      $0.lingeringBegan(at: 99_800)
      _ = $0.dropped(60 << 10)
    },
  ])
  func `slow clients give way first, then idle ones`(standing: Standing) {
    var rule = rule()
    standing.events(&rule)
    let slowness = rule.slowness(at: 100_000)
    #expect((slowness == nil) == (standing.range == nil))
    if let slowness, let range = standing.range { #expect(range.contains(slowness)) }
  }

  @Test func `what comes after the last answer is dropped for a while`() {
    var rule = rule()
    rule.lingeringBegan(at: 100)
    #expect(rule.deadline == 1_100)
    check(!rule.dropped(64 << 10))
    check(rule.dropped(1))
  }
}
