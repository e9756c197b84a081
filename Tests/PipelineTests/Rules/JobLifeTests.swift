import Pipeline
import Testing

/// Every state times every event: what the table does not name is stale and changes nothing.
struct JobLifeTests {
  private static let due = Moment(unixMilliseconds: 1_000)
  private static let failure = Failure(.timeout, at: .body, "slow")

  enum Start: CaseIterable {
    case waiting, ready, readyAfterCrash, leasedFirst, leasedSecond, scheduled, done, dead, cancelled
  }

  enum Event: CaseIterable {
    case grantedFirst, grantedSecond, grantedThird
    case doneUnderFirst, doneUnderSecond, deadUnderFirst, deadUnderSecond
    case ownDead, ownCancelled
    case failedUnderFirst, failedUnderSecond, becameDue
    case returnedUnderFirst, returnedUnderSecond, crashedUnderFirst, crashedUnderSecond
    case requeued
  }

  private static let table: [Start: [Event: JobLife.State]] = [
    .waiting: [.ownDead: .over(.dead), .ownCancelled: .over(.cancelled)],
    .ready: [
      .grantedFirst: .leased(LeaseToken(1)), .ownDead: .over(.dead), .ownCancelled: .over(.cancelled),
    ],
    .readyAfterCrash: [
      .grantedSecond: .leased(LeaseToken(2)), .doneUnderFirst: .over(.done), .ownDead: .over(.dead),
      .ownCancelled: .over(.cancelled),
    ],
    .leasedFirst: [
      .grantedFirst: .leased(LeaseToken(1)),
      .doneUnderFirst: .over(.done), .deadUnderFirst: .over(.dead), .ownDead: .over(.dead),
      .ownCancelled: .over(.cancelled), .failedUnderFirst: .scheduled(due), .returnedUnderFirst: .ready,
      .crashedUnderFirst: .ready,
    ],
    .leasedSecond: [
      .grantedSecond: .leased(LeaseToken(2)),
      .doneUnderFirst: .over(.done), .doneUnderSecond: .over(.done), .deadUnderSecond: .over(.dead),
      .ownDead: .over(.dead), .ownCancelled: .over(.cancelled), .failedUnderSecond: .scheduled(due),
      .returnedUnderSecond: .ready, .crashedUnderSecond: .ready,
    ],
    .scheduled: [
      .becameDue: .ready, .doneUnderFirst: .over(.done), .ownDead: .over(.dead),
      .ownCancelled: .over(.cancelled),
    ],
    .dead: [.requeued: .ready],
  ]

  @Test(arguments: Start.allCases, Event.allCases)
  func `an event changes the state as the table says, or nothing`(start: Start, event: Event) {
    let before = life(in: start)
    var after = before
    let applied = apply(event, to: &after)
    if let expected = Self.table[start]?[event] {
      #expect(applied)
      #expect(after.state == expected)
    } else {
      #expect(!applied)
      #expect(after == before)
    }
  }

  @Test func `a job handed back undone is not charged`() {
    var life = life(in: .leasedSecond)
    #expect(life.attempts == 2)
    let applied = life.take(.returned(LeaseToken(2)))
    #expect(applied)
    #expect(life.attempts == 1)
  }

  @Test func `a crash is charged and counted`() {
    var life = life(in: .leasedSecond)
    let applied = life.take(.crashed(LeaseToken(2)))
    #expect(applied)
    #expect(life.attempts == 2)
    #expect(life.crashes == 2)
  }

  @Test func `a crash that was none takes its attempt back too`() {
    for start in [Start.readyAfterCrash, .leasedSecond] {
      var life = life(in: start)
      let attempts = life.attempts
      let applied = life.take(.absolved(from: 1))
      #expect(applied)
      #expect(life.attempts == attempts - 1)
      #expect(life.crashes == 0)
      let again = life.take(.absolved(from: 1))
      #expect(!again)
    }
  }

  @Test func `a requeued job starts from nothing`() {
    var life = life(in: .leasedSecond)
    let ends = life.ended(.dead)
    let applied = life.take(.requeued)
    #expect(ends)
    #expect(applied)
    #expect(life == JobLife())
  }

  private func life(in start: Start) -> JobLife {
    let events: [Event] =
      switch start {
      case .waiting, .ready: []
      case .readyAfterCrash: [.grantedFirst, .crashedUnderFirst]
      case .leasedFirst: [.grantedFirst]
      case .leasedSecond: [.grantedFirst, .crashedUnderFirst, .grantedSecond]
      case .scheduled: [.grantedFirst, .failedUnderFirst]
      case .done: [.grantedFirst, .doneUnderFirst]
      case .dead: [.ownDead]
      case .cancelled: [.ownCancelled]
      }
    var life = JobLife(waiting: start == .waiting)
    for event in events {
      let applied = apply(event, to: &life)
      #expect(applied, "no way to \(start)")
    }
    return life
  }

  private func apply(_ event: Event, to life: inout JobLife) -> Bool {
    let first = Lease(token: LeaseToken(1), attempt: 1)
    let second = Lease(token: LeaseToken(2), attempt: 2)
    return switch event {
    case .grantedFirst: life.granted(first)
    case .grantedSecond: life.granted(second)
    case .grantedThird: life.granted(Lease(token: LeaseToken(3), attempt: 3))
    case .doneUnderFirst: life.ended(.done, under: first)
    case .doneUnderSecond: life.ended(.done, under: second)
    case .deadUnderFirst: life.ended(.dead, under: first)
    case .deadUnderSecond: life.ended(.dead, under: second)
    case .ownDead: life.ended(.dead)
    case .ownCancelled: life.ended(.cancelled)
    case .failedUnderFirst: life.take(.failedForNow(first.token, until: Self.due, Self.failure))
    case .failedUnderSecond: life.take(.failedForNow(second.token, until: Self.due, Self.failure))
    case .becameDue: life.take(.becameDue)
    case .returnedUnderFirst: life.take(.returned(first.token))
    case .returnedUnderSecond: life.take(.returned(second.token))
    case .crashedUnderFirst: life.take(.crashed(first.token))
    case .crashedUnderSecond: life.take(.crashed(second.token))
    case .requeued: life.take(.requeued)
    }
  }
}
