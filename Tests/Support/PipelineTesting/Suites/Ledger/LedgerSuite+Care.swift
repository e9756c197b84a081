import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let care: [PortRule<any Ledger>] = [
    Rule("what a user chose is forgotten, and nothing else") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var other = fixture
      other.batch = LedgerFixture.batch(0)
      try await fixture.finishInAllWays()
      try await other.finishInAllWays()
      #expect(try await fixture.forget(ForgettingChoice(unconfirmedToo: true, onlyCounts: true)).jobs == 12)
      #expect(try await fixture.forget(ForgettingChoice(batch: other.batch)).jobs == 0, "nobody has its rows")
      let dead = ForgettingChoice(batch: other.batch, end: .dead, unconfirmedToo: true)
      #expect(try await fixture.forget(dead).jobs == 2)
      #expect(try await ledger.progress(of: other.batch)?.failed == 0)
      #expect(try await ledger.progress(of: other.batch)?.settled == 4)
      #expect(try await other.rows().map(\.failure) == [nil, .cancelled, nil, .cancelled])
      #expect(try await ledger.progress(of: fixture.batch)?.failed == 2)
      #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9).count == 2)
      #expect(try await fixture.forget(ForgettingChoice(end: .cancelled, unconfirmedToo: true)).jobs == 4)
      #expect(try await fixture.forget(ForgettingChoice(batch: other.batch, unconfirmedToo: true)).jobs == 2)
      #expect(try await ledger.progress(of: other.batch) == nil)
      #expect(try await ledger.progress(of: fixture.batch)?.settled == 4)
    },
    Rule("a batch of which all jobs are forgotten by their end is unknown") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(3)
      let terms = BatchTerms(name: "monday")
      _ = try await fixture.commit([.terms(fixture.batch, terms), .close(fixture.batch, total: 3)])
      let choice = ForgettingChoice(end: .done, unconfirmedToo: true)
      let step = try await fixture.forget(choice)
      #expect(step.jobs == 3 && step.next == nil)
      #expect(step.gone.map(\.id) == [fixture.batch] && step.gone.map(\.terms.name) == ["monday"])
      #expect(step.gone.map(\.progress.rows) == [3] && step.gone.map(\.unread) == [3])
      #expect(try await ledger.progress(of: fixture.batch) == nil)
    },
    Rule("nothing is chosen of a batch that has open jobs or expects some") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(3)
      let choice = ForgettingChoice(batch: fixture.batch, end: .done, unconfirmedToo: true)
      #expect(try await fixture.forget(choice) == ForgettingStep(jobs: 0, next: nil))
      _ = try await fixture.commit([.submit([fixture.job(3)]), .close(fixture.batch, total: 4)])
      #expect(try await fixture.forget(choice) == ForgettingStep(jobs: 0, next: nil))
      _ = try await fixture.commit(fixture.settle(fixture.job(3).id, under: nil))
      #expect(try await fixture.forget(choice).jobs == 4)
    },
    Rule("steps of forgetting go on where the one before stopped") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var other = fixture
      other.batch = LedgerFixture.batch(0)
      try await fixture.finishInAllWays()
      try await other.finishInAllWays()
      for onlyCounts in [true, false] {
        let choice = ForgettingChoice(end: .dead, unconfirmedToo: true, onlyCounts: onlyCounts)
        var (place, jobs, steps) = (Optional<RowPlace>.none, 0, 0)
        repeat {
          let step = try await fixture.forget(choice, from: place, limit: 1)
          #expect(step.jobs <= 1)
          (place, jobs, steps) = (step.next, jobs + step.jobs, steps + 1)
        } while place != nil && steps < 99
        #expect(jobs == 4, "only counting: \(onlyCounts)")
      }
      #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9).isEmpty)
    },
    Rule("calls of a run that may go on are not chosen") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var calls = fixture
      calls.batch = BatchID.calls(of: fixture.job(0).id, life: 0)
      _ = try await calls.commit([.submit(calls.jobs(1)), .close(calls.batch, total: 1)])
      _ = try await calls.commit(calls.settle(calls.job(0).id, under: nil, .cancelled, failure: .cancelled))
      let choice = ForgettingRule.chosen(ForgettingChoice(unconfirmedToo: true, onlyCounts: true))
      let soon = fixture.now.advanced(byMilliseconds: ForgettingRule.callsKeptMilliseconds)
      _ = try await ledger.forget(.chosen(ForgettingChoice(unconfirmedToo: true)), before: soon, limit: 9)
      #expect(try await ledger.progress(of: calls.batch) != nil)
      #expect(try await ledger.forget(choice, before: soon, limit: 9) == 0)
    },
    Rule("a passing batch is chosen only by its name") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var passing = fixture
      passing.batch = BatchID.passing(LedgerFixture.batch(0).uuid)
      try await fixture.finishInAllWays()
      try await passing.finishInAllWays()
      let all = ForgettingChoice(unconfirmedToo: true, onlyCounts: true)
      #expect(try await fixture.forget(all).jobs == 6)
      let gone = try await fixture.forget(ForgettingChoice(unconfirmedToo: true))
      #expect(gone.jobs == 6 && gone.gone.map(\.id) == [fixture.batch])
      #expect(try await ledger.progress(of: passing.batch)?.settled == 6)
      let named = ForgettingChoice(batch: passing.batch, unconfirmedToo: true)
      #expect(try await fixture.forget(named).jobs == 6)
      #expect(try await ledger.progress(of: passing.batch) == nil)
    },
    Rule("the size tells how many jobs there are, and how many can be forgotten") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      #expect(try await ledger.size().batches == 0)
      _ = try await fixture.oneInEachState()
      var other = fixture
      other.batch = LedgerFixture.batch(0)
      try await other.finishInAllWays()
      var passing = fixture
      passing.batch = BatchID.passing(LedgerFixture.batch(3).uuid)
      try await passing.finish(1)
      var size = try await ledger.size()
      #expect((size.jobs.ready, size.jobs.leased, size.jobs.scheduled, size.jobs.dead) == (2, 1, 1, 3))
      #expect((size.done, size.cancelled, size.batches) == (3, 3, 2))
      #expect((size.forgettable, size.forgettableRead) == (6, 0))
      #expect(size.oldest == fixture.now)
      _ = try await ledger.commit([.confirmRows(other.batch, upTo: 6)], at: fixture.later)
      size = try await ledger.size()
      #expect((size.forgettable, size.forgettableRead) == (6, 6))
      #expect(size.oldest == fixture.later)
    },
    Rule("rows of all batches are read in pages, each once") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var (other, passing) = (fixture, fixture)
      other.batch = LedgerFixture.batch(0)
      passing.batch = BatchID.passing(LedgerFixture.batch(3).uuid)
      try await fixture.finish(4)
      try await passing.finish(1)
      try await other.finish(3)
      for limit in 1...8 {
        var (rows, place): ([NumberedRow], RowPlace?) = ([], .first)
        while let after = place {
          let page = try await ledger.storedRows(of: nil, after: after, limit: limit, bytes: .max)
          #expect(page.items.count <= limit)
          rows += page.items
          place = page.next
        }
        #expect(rows.map(\.number) == [1, 2, 3, 4, 1, 2, 3], "\(limit) at a time")
        #expect(rows.map(\.json) == [0, 1, 2, 3, 0, 1, 2].map { Array(#"{"ordinal":\#($0)}"#.utf8) })
      }
      let (part, whole) = (
        try await ledger.storedRows(of: nil, after: .first, limit: 3, bytes: .max),
        try await ledger.storedRows(of: nil, after: .first, limit: 4, bytes: .max)
      )
      #expect(
        part.next?.number == 3 && whole.next?.number == 0, "in a batch only while more of it is to come")
      let page = try await ledger.storedRows(of: nil, after: .first, limit: 99, bytes: 20)
      #expect(page.items.count == 2, "none after the one that makes it so many bytes")
      let one = try await ledger.storedRows(of: other.batch, after: .first, limit: 99, bytes: .max)
      #expect(one.items.count == 3)
      let none = LedgerFixture.batch(7)
      let nothing = try await ledger.storedRows(of: none, after: .first, limit: 9, bytes: .max)
      #expect(nothing == StoredRows())
    },
    Rule("giving room back comes to an end") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(9)
      var step = try await ledger.shrink(bytes: 1 << 20)
      while step.total > 0 { step = try await ledger.shrink(bytes: 1 << 20) }
      #expect(try await fixture.rows().count == 9)
    },
  ]
}

extension LedgerFixture {
  /// Forgets what ended until now.
  func forget(
    _ choice: ForgettingChoice, from place: RowPlace? = nil, limit: Int = 99
  ) async throws -> ForgettingStep {
    try await ledger.forget(
      .chosen(choice), before: now.advanced(byMilliseconds: 1), from: place, limit: limit)
  }

  /// Six jobs of a complete batch: two that are done, two that failed, and two that were cancelled.
  func finishInAllWays() async throws {
    let jobs = jobs(6)
    let ends: [(JobLife.End, FailureKind?)] = [
      (.done, nil), (.dead, .dns), (.cancelled, .cancelled), (.done, nil), (.dead, .tls),
      (.cancelled, .cancelled),
    ]
    let events = zip(jobs, ends).map { settle($0.id, under: nil, $1.0, failure: $1.1) }
    let answers = try await commit([.submit(jobs)] + events + [.close(batch, total: 6)])
    try #require(answers.dropFirst().allSatisfy { $0 == .applied })
  }
}
