import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>
  fileprivate static let hour: Int64 = 3_600_000

  static let upkeep: [PortRule<any Ledger>] = [
    Rule("a worker was seen when it spoke last") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let (one, two) = (LedgerFixture.worker(1), LedgerFixture.worker(2))
      #expect(try await ledger.lastSeen() == [:])
      #expect(try await ledger.commit([.seen(one), .seen(two), .seen(one)], at: fixture.now).count == 3)
      #expect(try await ledger.lastSeen() == [one: fixture.now, two: fixture.now])
      #expect(try await ledger.commit([.seen(one)], at: fixture.later) == [.applied])
      #expect(try await ledger.lastSeen() == [one: fixture.later, two: fixture.now])
    },
    Rule("workers that nobody has seen for a day are forgotten") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let workers = (1...4 as ClosedRange<UInt64>).map { LedgerFixture.worker($0) }
      let nextDay = fixture.now.advanced(byMilliseconds: 24 * hour)
      _ = try await ledger.commit([.seen(workers[0])], at: fixture.now)
      _ = try await ledger.commit([.seen(workers[1])], at: fixture.later)
      _ = try await ledger.commit([.seen(workers[2])], at: nextDay)
      #expect(try await ledger.lastSeen().count == 3)
      _ = try await ledger.commit([.seen(workers[2])], at: nextDay.advanced(byMilliseconds: 1))
      #expect(try await Set(ledger.lastSeen().keys) == [workers[1], workers[2]])
      _ = try await ledger.commit([.seen(workers[3])], at: nextDay.advanced(byMilliseconds: 24 * hour))
      #expect(try await Set(ledger.lastSeen().keys) == [workers[2], workers[3]])
    },
    Rule("whoever takes over learns which hosts are still left alone, and why") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      func commit(_ waits: [String: HostWait]) async throws {
        var changes = Changes(under: try await ledger.owner().term)
        changes.waits = waits
        _ = try await ledger.commit(changes, at: fixture.now)
      }
      func waits() async throws -> [String: HostWait] {
        let left = try await ledger.takeOver(
          as: UUIDv7(high: 6, low: 6), at: fixture.now, longestPause: 1)
        return left.waits
      }
      let soon = fixture.now.advanced(byMilliseconds: 60_000)
      let givenUp = HostWait.givenUp(HostVerdict(kind: .connect, failures: 15, until: soon))
      let over = HostWait.asked(until: fixture.now)
      try await commit(["b.test": .asked(until: soon)])
      try await commit(["a.test": .asked(until: soon), "b.test": givenUp, "c.test": over])
      #expect(try await waits() == ["a.test": .asked(until: soon), "b.test": givenUp])
      try await commit(["a.test": over])
      #expect(try await waits() == ["b.test": givenUp])
    },
    Rule("a summary counts the jobs in each state") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      #expect(try await ledger.summary(batches: 9) == LedgerSummary(jobs: JobCounts(), batches: []))
      let jobs = try await fixture.oneInEachState()
      var counts = JobCounts()
      (counts.ready, counts.leased, counts.scheduled, counts.dead) = (2, 1, 1, 1)
      #expect(try await ledger.summary(batches: 0).jobs == counts)
      _ = try await fixture.commit([
        .requeue(jobs[4]), .becameDue(jobs[2]), .giveBack(jobs[1], LeaseToken(1)),
        .giveBack(jobs[1], LeaseToken(1)),
        fixture.settle(jobs[0], under: nil, .dead, failure: .dns), .submit(fixture.jobs(8)),
      ])
      counts = JobCounts()
      (counts.ready, counts.dead) = (5, 1)
      #expect(try await ledger.summary(batches: 0).jobs == counts)
    },
    Rule("a summary tells of the newest batches first") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var other = fixture
      // Not in the order of their ids.
      other.batch = LedgerFixture.batch(0)
      try await fixture.finish(2)
      _ = try await fixture.commit([
        .submit(other.jobs(2)), .close(other.batch, total: 2),
        other.settle(other.job(0).id, under: nil, .cancelled, failure: .cancelled),
      ])
      let older = BatchProgress(total: nil, rows: 2, settled: 2)
      let newer = BatchProgress(total: 2, rows: 1, settled: 1, cancelled: 1)
      let batches = try await ledger.summary(batches: 9).batches
      #expect(batches.map(\.id) == [other.batch, fixture.batch])
      #expect(batches.map(\.progress) == [newer, older])
      #expect(try await ledger.summary(batches: 1).batches.map(\.id) == [other.batch])
    },
    Rule("a complete batch is forgotten when it is old and its rows have been confirmed") {
      ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(3)
      let after = fixture.now.advanced(byMilliseconds: 1)
      #expect(
        try await ledger.forget(.old(unreadBefore: after), before: after, limit: 9) == 0, "it is not closed")
      _ = try await fixture.commit(.close(fixture.batch, total: 3))
      #expect(
        try await ledger.forget(.old(unreadBefore: nil), before: after, limit: 9) == 0, "nobody has its rows")
      _ = try await fixture.commit(.confirmRows(fixture.batch, upTo: 2))
      #expect(
        try await ledger.forget(.old(unreadBefore: nil), before: after, limit: 9) == 0,
        "nobody has its last row")
      _ = try await fixture.commit(.confirmRows(fixture.batch, upTo: 3))
      #expect(
        try await ledger.forget(.old(unreadBefore: nil), before: fixture.now, limit: 9) == 0, "it is not old")
      #expect(try await ledger.progress(of: fixture.batch)?.isComplete == true)
      _ = try await ledger.forget(.old(unreadBefore: nil), before: after, limit: 9)
      #expect(try await ledger.progress(of: fixture.batch) == nil)
      #expect(try await ledger.summary(batches: 9).batches.isEmpty)
      #expect(try await fixture.commit(.submit(fixture.jobs(1))) == .inserted(1))
    },
    Rule("rows that nobody read are forgotten on request, in steps, the oldest batch first") {
      ledger async throws in
      let fixture = LedgerFixture(ledger)
      var other = fixture
      other.batch = LedgerFixture.batch(0)
      try await fixture.finish(5)
      try await other.finish(2)
      _ = try await fixture.commit([
        .submit([fixture.job(5)]), fixture.settle(fixture.job(5).id, under: nil, .dead, failure: .tls),
        .close(fixture.batch, total: 6), .close(other.batch, total: 2),
      ])
      let after = fixture.now.advanced(byMilliseconds: 1)
      #expect(try await ledger.forget(.old(unreadBefore: after), before: after, limit: 4) == 4)
      let rest = BatchProgress(total: 2, rows: 6, settled: 2, failed: 1)
      #expect(try await ledger.progress(of: fixture.batch) == rest)
      #expect(try await fixture.rows().map(\.number) == [5, 6])
      #expect(try await ledger.progress(of: other.batch)?.settled == 2)
      #expect(try await ledger.forget(.old(unreadBefore: after), before: after, limit: 3) == 3)
      #expect(try await ledger.progress(of: fixture.batch) == nil)
      #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9).isEmpty)
      #expect(try await ledger.summary(batches: 9).jobs == JobCounts())
      #expect(try await other.rows().map(\.number) == [2])
      #expect(try await ledger.forget(.old(unreadBefore: after), before: after, limit: 3) == 1)
      #expect(try await ledger.summary(batches: 9).batches.isEmpty)
      #expect(try await ledger.forget(.old(unreadBefore: after), before: after, limit: 3) == 0)
    },
    Rule("a passing batch is in no list, and can be forgotten before others") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var passing = fixture
      passing.batch = BatchID.passing(LedgerFixture.batch(0).uuid)
      for each in [fixture, passing] {
        try await each.finish(1)
        _ = try await each.commit(.close(each.batch, total: 1))
      }
      #expect(try await ledger.summary(batches: 9).batches.map(\.id) == [fixture.batch])
      let after = fixture.now.advanced(byMilliseconds: 1)
      #expect(try await ledger.forget(.passing, before: fixture.now, limit: 9) == 0, "it is not old")
      #expect(try await ledger.forget(.passing, before: after, limit: 9) == 1)
      #expect(try await ledger.progress(of: passing.batch) == nil)
      #expect(try await ledger.progress(of: fixture.batch)?.isComplete == true)
    },
    Rule("a batch that is asked for again is not forgotten") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(2)
      _ = try await fixture.commit(.close(fixture.batch, total: 2))
      _ = try await ledger.commit([.submit(fixture.jobs(2))], at: fixture.later)
      #expect(
        try await ledger.forget(.old(unreadBefore: fixture.later), before: fixture.later, limit: 9) == 0)
    },
    Rule("a batch with open jobs is not forgotten") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(2)
      _ = try await fixture.commit([.submit([fixture.job(2)]), .close(fixture.batch, total: 3)])
      let after = fixture.now.advanced(byMilliseconds: 1)
      #expect(try await ledger.forget(.old(unreadBefore: after), before: after, limit: 9) == 0)
      #expect(try await fixture.commit(fixture.settle(fixture.job(2).id, under: nil)) == .applied)
    },
    Rule("a batch that is half forgotten and submitted again is whole at its end") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(4)
      _ = try await fixture.commit(.close(fixture.batch, total: 4))
      let after = fixture.now.advanced(byMilliseconds: 1)
      #expect(try await ledger.forget(.old(unreadBefore: after), before: after, limit: 3) == 3)
      let answers = try await fixture.commit([.submit(fixture.jobs(4)), .close(fixture.batch, total: 4)])
      #expect(answers == [.inserted(3), .applied])
      #expect(try await ledger.progress(of: fixture.batch)?.isComplete == false)
      _ = try await fixture.commit(fixture.jobs(3).map { fixture.settle($0.id, under: nil) })
      #expect(
        try await ledger.progress(of: fixture.batch)
          == BatchProgress(total: 4, rows: 7, settled: 4, failed: 0))
      #expect(try await fixture.rows().map(\.number) == [4, 5, 6, 7])
    },
  ]
}
