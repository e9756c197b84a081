import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  private static let mine = Address("ipc:///mine")

  private static func terms(_ change: (inout BatchTerms) -> Void) -> BatchTerms {
    var terms = BatchTerms()
    change(&terms)
    return terms
  }

  static let sharing: [PortRule<any Ledger>] = [
    Rule("a batch has the terms that came with it, and a later submission changes those that it names") {
      ledger async throws in
      let fixture = LedgerFixture(ledger)
      let moment = fixture.now.advanced(byMilliseconds: 9)
      var first = BatchTerms(name: "Montag\u{0}")
      (first.weight, first.atMost, first.startsAt) = (7, 3, moment)
      #expect(try await fixture.commit(.terms(fixture.batch, first)) == .stale)
      #expect(
        try await fixture.commit([
          .submit(fixture.jobs(2)), .terms(fixture.batch, first), .terms(fixture.batch, first),
        ]) == [.inserted(2), .applied, .applied])
      var batch = try #require(try await ledger.summary(batches: 1).batches.first)
      #expect(batch.terms == first)
      #expect(batch.firstSubmittedAt == fixture.now)
      let second = terms { ($0.atMost, $0.perHour, $0.deadline) = (0, .max, moment) }
      let answers = try await ledger.commit(
        [.submit(fixture.jobs(3), from: mine), .terms(fixture.batch, second, from: mine)],
        at: moment)
      (first.atMost, first.perHour, first.deadline) = (0, .max, moment)
      #expect(answers == [.inserted(1), .terms(first, isPaused: false)])
      batch = try #require(try await ledger.summary(batches: 1).batches.first)
      #expect(batch.terms == first)
      #expect(batch.firstSubmittedAt == fixture.now)
      let shares = try await ledger.shares().batches
      #expect(shares.map(\.id) == [fixture.batch] && shares.map(\.terms) == [first])
      #expect(shares.map(\.progress.isPaused) == [false])
    },
    Rule("a refused submission changes no terms") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      _ = try await fixture.commit(.submit(fixture.jobs(2)))
      var jobs = fixture.jobs(2)
      jobs[0].input = "http://other.test/"
      let answers = try await fixture.commit([
        .submit(jobs, from: mine), .terms(fixture.batch, terms { $0.weight = 9 }, from: mine),
      ])
      #expect(answers.last == .stale)
      #expect(try await ledger.summary(batches: 1).batches.first?.terms == BatchTerms())
    },
    Rule("a producer's terms change a complete batch only when its list is the same") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let (first, other) = (terms { $0.weight = 7 }, terms { $0.weight = 9 })
      _ = try await fixture.commit([
        .submit(fixture.jobs(3), from: mine), .close(fixture.batch, total: 3, from: mine),
        .terms(fixture.batch, first, from: mine, total: 3),
      ])
      #expect(try await ledger.summary(batches: 1).batches.first?.terms.weight == 7)
      // A shorter list, and the first message of one that is not known yet.
      _ = try await fixture.commit([
        .submit(fixture.jobs(2), from: mine), .close(fixture.batch, total: 2, from: mine),
        .terms(fixture.batch, other, from: mine, total: 2), .terms(fixture.batch, other, from: mine),
      ])
      #expect(try await ledger.summary(batches: 1).batches.first?.terms.weight == 7)
      _ = try await fixture.commit([
        .submit([], from: mine), .close(fixture.batch, total: 3, from: mine),
        .terms(fixture.batch, other, from: mine, total: 3),
      ])
      #expect(try await ledger.summary(batches: 1).batches.first?.terms.weight == 9)
    },
    Rule("only unfinished batches with terms that count are told, in their order") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var others = (2...5 as ClosedRange<Int64>).map { number in
        var other = fixture
        other.batch = LedgerFixture.batch(number)
        return other
      }
      let paused = others.removeLast()
      let asked = [BatchTerms(name: "a"), terms { $0.weight = 3 }, terms { $0.weight = 10 }]
      for (other, terms) in zip(others, asked) {
        _ = try await fixture.commit([.submit(other.jobs(1)), .terms(other.batch, terms)])
      }
      _ = try await fixture.commit([
        .submit(paused.jobs(1)), .pause(.batch(paused.batch), pause),
      ])
      var known = try await ledger.shares()
      #expect(known.batches.map(\.id) == [others[1].batch, paused.batch])
      #expect(known.batches.map(\.progress.isPaused) == [false, true])
      _ = try await fixture.commit([
        .settle(
          Settlement(of: others[1].job(0), lease: nil, end: .done, failure: nil, row: Array("{}".utf8))),
        .close(others[1].batch, total: 1),
      ])
      known = try await ledger.shares()
      #expect(known.batches.map(\.id) == [paused.batch])
    },
    Rule("hosts, batches and all are paused until they are resumed") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      _ = try await fixture.commit(.submit(fixture.jobs(1)))
      let scopes: [PauseScope] = [.all, .host("a.test:8080"), .host("b.test"), .batch(fixture.batch)]
      #expect(
        try await fixture.commit(scopes.map { .pause($0, pause) })
          == scopes.map { _ in .applied })
      #expect(
        try await fixture.commit(scopes.map { .pause($0, pause) }) == scopes.map { _ in .stale }
      )
      #expect(try await fixture.commit(.pause(.batch(LedgerFixture.batch(9)), pause)) == .stale)
      #expect(
        try await fixture.commit(.terms(fixture.batch, BatchTerms(), from: mine))
          == .terms(BatchTerms(), isPaused: true))
      var known = try await ledger.shares()
      #expect(known.isAllPaused)
      #expect(known.pausedHosts == ["a.test:8080", "b.test"])
      #expect(known.batches.map(\.id) == [fixture.batch])
      #expect(try await ledger.summary(batches: 1).batches.map(\.progress.isPaused) == [true])
      #expect(try await fixture.commit(scopes.map { .unpause($0) }) == scopes.map { _ in .applied })
      #expect(try await fixture.commit(scopes.map { .unpause($0) }) == scopes.map { _ in .stale })
      known = try await ledger.shares()
      #expect(known == KnownShares())
    },
    Rule("a pause is replaced by another one, and ends when its time is over") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      _ = try await fixture.commit([.submit(fixture.jobs(1)), .close(fixture.batch, total: 1)])
      let now = Moment(unixMilliseconds: 1_000)
      let later = Moment(unixMilliseconds: 4_000_000_000_000)
      let second = Pause(by: "bob@box", at: now, lastsMilliseconds: 500)
      for scope in [PauseScope.all, .host("a.test"), .batch(fixture.batch)] {
        #expect(try await fixture.commit(.pause(scope, pause)) == .applied)
        #expect(try await ledger.shares().pauses == [scope: pause])
        #expect(try await fixture.commit(.unpause(scope, dueBy: later)) == .stale)
        #expect(try await fixture.commit(.pause(scope, second)) == .stale)
        #expect(try await ledger.shares().pauses == [scope: second])
        #expect(try await fixture.commit(.unpause(scope, dueBy: now)) == .stale)
        let end = now.advanced(byMilliseconds: 500)
        #expect(try await fixture.commit(.unpause(scope, dueBy: end)) == .applied)
        #expect(try await ledger.shares().pauses.isEmpty)
      }
    },
    Rule("the pause of a batch that is complete is told, so that it ends") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      _ = try await fixture.commit(.pause(.batch(fixture.batch), pause))
      _ = try await fixture.commit(.submit(fixture.jobs(1)))
      #expect(try await ledger.shares().pauses.isEmpty)
      let end = Settlement(
        of: fixture.job(0), lease: nil, end: .done, failure: nil, row: Array("{}".utf8))
      _ = try await fixture.commit([
        .pause(.batch(fixture.batch), pause), .settle(end), .close(fixture.batch, total: 1),
      ])
      #expect(try await ledger.shares().pauses == [.batch(fixture.batch): pause])
    },
    Rule("batches are listed by pages, the newest first, by what is known of them") { ledger async throws in
      let fixtures = (0..<5).map { index in
        var fixture = LedgerFixture(ledger)
        fixture.batch = LedgerFixture.batch(Int64(index))
        return fixture
      }
      for (index, fixture) in fixtures.enumerated() {
        _ = try await fixture.commit([
          .submit(fixture.jobs(1)), .terms(fixture.batch, BatchTerms(name: "list \(index)")),
        ])
      }
      let end = Settlement(
        of: fixtures[1].job(0), lease: nil, end: .done, failure: nil, row: Array("{}".utf8))
      _ = try await fixtures[1].commit([
        .settle(end), .close(fixtures[1].batch, total: 1), .pause(.batch(fixtures[2].batch), pause),
        .cancel(fixtures[3].batch, BatchCancellation(cause: "x", everything: true)),
        .abandon(fixtures[4].batch),
      ])
      var search = BatchSearch()
      search.limit = 2
      var pages: [[BatchID]] = []
      repeat {
        let page = try await ledger.batches(.listed(search))
        pages.append(page.items.map(\.id))
        search.from = page.next
      } while search.from != nil
      #expect(pages.flatMap { $0 } == fixtures.reversed().map(\.batch))
      #expect(pages.allSatisfy { $0.count <= 2 })
      func found(_ change: (inout BatchSearch) -> Void) async throws -> [BatchID] {
        var search = BatchSearch()
        change(&search)
        return try await ledger.batches(.listed(search)).items.map(\.id)
      }
      let batches = fixtures.map(\.batch)
      #expect(try await found { $0.state = .complete } == [batches[1]])
      #expect(try await found { $0.state = .open } == [4, 3, 2, 0].map { batches[$0] })
      #expect(try await found { $0.state = .paused } == [batches[2]])
      #expect(try await found { $0.state = .cancelled } == [batches[3]])
      #expect(try await found { $0.state = .abandoned } == [batches[4]])
      #expect(try await found { $0.name = "t 3" } == [batches[3]])
      #expect(try await found { $0.isUnread = true } == [batches[1]])
      #expect(try await found { $0.since = Moment(unixMilliseconds: 4_000_000_000_000) }.isEmpty)
      #expect(try await found { $0.before = Moment(unixMilliseconds: 4_000_000_000_000) }.count == 5)
      #expect(try await ledger.summary(batches: 2).otherBatches == 3)
    },
  ]

  private static let pause = Pause(by: "ann@box", reason: "maintenance", at: Moment(unixMilliseconds: 7))
}
