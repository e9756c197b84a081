import HTTPMessages
import Testing

/// A table of connections that is full, in virtual time.
@Suite struct CrowdTests {
  enum Kind: Sendable {
    case slowHead, slowBody, slowReader, idle, honest

    static let slowOnes: [Kind] = [.slowHead, .slowBody, .slowReader, .idle]
  }

  private static let room = 1_024
  private static let crowd = 1_000
  /// An honest client comes each so many milliseconds.
  private static let pace = 5
  private static let duration = 3_000

  @Test(arguments: Kind.slowOnes.map { [$0] } + [Kind.slowOnes])
  func `honest clients are answered beside a crowd of each kind`(kinds: [Kind]) {
    var table = Table(room: Self.room)
    for kind in kinds {
      for number in 0..<Self.crowd { table.arrive(kind, at: Int64(number % 500)) }
    }
    for now in 500..<500 + Self.duration {
      table.passTo(Int64(now))
      if now % Self.pace == 0 { table.arrive(.honest, at: Int64(now)) }
    }
    #expect(table.answered > Self.duration / Self.pace * 9 / 10)
    #expect(table.lost == 0)
  }

  @Test func `clients that come together do not push each other out`() {
    var table = Table(room: Self.room)
    for _ in 0..<Self.room { table.arrive(.slowHead, at: 0) }
    for now in 1..<100 { table.passTo(Int64(now)) }
    for _ in 0..<64 { table.arrive(.honest, at: 100) }
    for now in 100..<1_000 { table.passTo(Int64(now)) }
    #expect(table.answered == 64)
    #expect(table.lost == 0)
  }
}

/// Connections as the server keeps them. A slow client that is cut off comes back.
private struct Table {
  private enum Step {
    case comes(CrowdTests.Kind)
    case does(number: Int, (inout ConnectionRule, Int64) -> Void)
    case hasItsAnswer(number: Int)
  }

  private static let absence: Int64 = 2_000

  let room: Int
  private(set) var answered = 0
  private(set) var lost = 0
  private var connections: [Int: (kind: CrowdTests.Kind, rule: ConnectionRule)] = [:]
  private var steps: [Int64: [Step]] = [:]
  private var last = 0
  private var random = SeededGenerator(state: 1)

  init(room: Int) {
    self.room = room
  }

  mutating func passTo(_ now: Int64) {
    for step in steps.removeValue(forKey: now) ?? [] {
      switch step {
      case .comes(let kind): arrive(kind, at: now)
      case .does(let number, let what):
        guard var rule = connections[number]?.rule else { continue }
        what(&rule, now)
        connections[number]?.rule = rule
      case .hasItsAnswer(let number):
        if connections.removeValue(forKey: number) != nil { answered += 1 }
      }
    }
    // As often as the server looks.
    guard now % 100 == 0 else { return }
    for number in connections.keys where connections[number]?.rule.isLate(at: now) == true {
      cut(number, at: now)
    }
  }

  mutating func arrive(_ kind: CrowdTests.Kind, at now: Int64) {
    if connections.count >= room {
      let standings = connections.compactMap { number, connection in
        connection.rule.slowness(at: now).map { (slowness: $0, since: connection.rule.since, number: number) }
      }
      let slowest = standings.max { ($0.slowness, $1.since, $1.number) < ($1.slowness, $0.since, $0.number) }
      guard let slowest else { return refuse(kind, at: now) }
      cut(slowest.number, at: now)
    }
    last += 1
    connections[last] = (kind, ConnectionRule(ConnectionLimits(), at: now))
    plan(kind, last, at: now)
  }

  private mutating func cut(_ number: Int, at now: Int64) {
    if let connection = connections.removeValue(forKey: number) { refuse(connection.kind, at: now) }
  }

  private mutating func refuse(_ kind: CrowdTests.Kind, at now: Int64) {
    if kind == .honest { lost += 1 } else { steps[now + Self.absence, default: []].append(.comes(kind)) }
  }

  /// What the client will do.
  private mutating func plan(_ kind: CrowdTests.Kind, _ number: Int, at now: Int64) {
    func does(at time: Int64, _ what: @escaping (inout ConnectionRule, Int64) -> Void) {
      steps[time, default: []].append(.does(number: number, what))
    }
    switch kind {
    case .idle: break
    case .slowHead: does(at: now + 10) { $0.requestBegan(at: $1) }
    case .slowBody:
      does(at: now + 10) { $0.headCame(at: $1) }
      for second in 1...10 { does(at: now + Int64(second) * 1_000) { rule, _ in rule.moved(1) } }
    case .slowReader:
      does(at: now + 10) {
        $0.workBegan(at: $1)
        $0.clientIsSlow(at: $1)
        $0.answerEnded(at: $1)
      }
      for second in 1...10 { does(at: now + Int64(second) * 1_000) { rule, _ in rule.moved(32) } }
    case .honest:
      let sent = now + Int64.random(in: 10...100, using: &random)
      does(at: sent) {
        $0.headCame(at: $1)
        $0.workBegan(at: $1)
      }
      let answered = sent + Int64.random(in: 1...300, using: &random)
      steps[answered, default: []].append(.hasItsAnswer(number: number))
    }
  }
}
