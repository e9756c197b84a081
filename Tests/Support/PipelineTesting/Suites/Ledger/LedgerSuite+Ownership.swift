import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let ownership: [PortRule<any Ledger>] = [
    Rule("a ledger has no owner before the first takeover") { ledger async throws in
      let owner = try await ledger.owner()
      #expect(owner == LedgerOwner() && owner.term == .none)
    },
    Rule("a takeover raises the epoch, and tells whose the ledger is") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let first = try await fixture.takeOver(as: one).term
      #expect(first == LedgerTerm(epoch: 1, holder: one))
      #expect(try await ledger.owner() == LedgerOwner(first, renewedAt: fixture.now))
      let second = try await fixture.takeOver(as: other).term
      #expect(second == LedgerTerm(epoch: 2, holder: other))
      #expect(try await fixture.takeOver(as: other).term.epoch == 3, "also from itself")
      #expect(try await ledger.owner().term.holder == other)
    },
    Rule("a commit of an earlier epoch is refused as a whole") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let old = try await fixture.takeOver(as: one).term
      let job = try await fixture.leasedJob()
      let new = try await fixture.takeOver(as: one).term
      try await fixture.refuses(old, near: job)
      let end = fixture.settle(job, under: fixture.lease(1))
      #expect(try await ledger.commit([end], under: new, at: fixture.now) == [.applied])
    },
    Rule("a commit of another holder is refused as a whole, also in the same epoch") {
      ledger async throws in
      let fixture = LedgerFixture(ledger)
      let term = try await fixture.takeOver(as: one).term
      let job = try await fixture.leasedJob()
      try await fixture.refuses(LedgerTerm(epoch: term.epoch, holder: other), near: job)
      try await fixture.refuses(LedgerTerm(epoch: term.epoch + 1, holder: one), near: job)
      try await fixture.refuses(.none, near: job)
    },
    Rule("only the owner forgets") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(2)
      _ = try await fixture.commit(.close(fixture.batch, total: 2))
      let old = try await fixture.takeOver(as: one).term
      _ = try await fixture.takeOver(as: other)
      let after = fixture.now.advanced(byMilliseconds: 1)
      let rule = ForgettingRule.old(unreadBefore: after)
      await fenced { _ = try await ledger.forget(rule, before: after, from: nil, limit: 9, under: old) }
      #expect(try await fixture.rows().count == 2)
      #expect(try await ledger.forget(rule, before: after, limit: 9) == 2)
    },
    Rule("an owner renews its term until another one takes over") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let old = try await fixture.takeOver(as: one).term
      let later = fixture.now.advanced(byMilliseconds: 5_000)
      try await ledger.renew(old, at: later)
      #expect(try await ledger.owner() == LedgerOwner(old, renewedAt: later))
      let new = try await fixture.takeOver(as: other).term
      await fenced { try await ledger.renew(old, at: later) }
      #expect(try await ledger.owner() == LedgerOwner(new, renewedAt: fixture.now))
    },
    Rule("who resigned owns nothing, and can take over again") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let old = try await fixture.takeOver(as: one).term
      let job = try await fixture.leasedJob()
      try await ledger.resign(old)
      #expect(try await ledger.owner().term.holder == LedgerTerm.none.holder)
      try await fixture.refuses(old, near: job)
      await fenced { try await ledger.renew(old, at: fixture.now) }
      await fenced { try await ledger.resign(old) }
      let new = try await fixture.takeOver(as: one).term
      #expect(new == LedgerTerm(epoch: old.epoch + 1, holder: one))
      await fenced { try await ledger.resign(old) }
      #expect(try await ledger.owner().term == new, "an old term cannot end a new one")
    },
    Rule("a commit that is repeated because it is unknown how it ended does nothing twice") {
      ledger async throws in
      let fixture = LedgerFixture(ledger)
      let job = try await fixture.leasedJob()
      let term = try await fixture.takeOver(as: one).term
      let events: [LedgerEvent] = [
        .submit(fixture.jobs(3)), .grant(fixture.job(1).id, fixture.lease(2), to: fixture.worker),
        fixture.settle(job, under: fixture.lease(1)), .close(fixture.batch, total: 3),
      ]
      let first = try await ledger.commit(events, under: term, at: fixture.now)
      #expect(first == [.inserted(2), .applied, .applied, .applied])
      let again = try await ledger.commit(events, under: term, at: fixture.now)
      #expect(again == [.inserted(0), .applied, .stale, .applied])
      #expect(try await ledger.progress(of: fixture.batch) == BatchProgress(total: 3, rows: 1, settled: 1))
      #expect(try await fixture.life(of: fixture.job(1).id)?.state == .leased(LeaseToken(2)))
      #expect(try await fixture.life(of: fixture.job(1).id)?.attempts == 1)
      #expect(try await ledger.summary(batches: 0).jobs.open == 2)
      // Who took over meanwhile cannot be disturbed by the repetition.
      _ = try await fixture.takeOver(as: other)
      await fenced { _ = try await ledger.commit(events, under: term, at: fixture.now) }
    },
  ]

  private static let one = UUIDv7(high: 0x7001, low: 1)
  private static let other = UUIDv7(high: 0x7002, low: 2)

  /// It must fail because another one owns the ledger.
  fileprivate static func fenced(_ body: () async throws -> Void) async {
    let error = await #expect(throws: LedgerError.self) { try await body() }
    #expect(error?.kind == .fenced && error?.mayPass == false)
    #expect(error?.message.contains("another aggregator has taken it over") == true)
  }
}

extension LedgerFixture {
  fileprivate func takeOver(as holder: UUIDv7) async throws -> Inheritance {
    try await ledger.takeOver(as: holder, at: now, longestPause: 1_000)
  }

  /// A commit of everything changes nothing.
  ///
  /// - Parameter job: It is leased under token 1.
  fileprivate func refuses(_ term: LedgerTerm, near job: JobID) async throws {
    let (progress, summary) = (try await ledger.progress(of: batch), try await ledger.summary(batches: 9))
    let events: [LedgerEvent] = [
      .submit(jobs(9)), settle(job, under: lease(1)), .close(batch, total: 1),
      .pause(.all, Pause(by: "ann@box", at: now)), .confirmRows(batch, upTo: 1), .seen(worker),
    ]
    await LedgerSuite.fenced { _ = try await ledger.commit(events, under: term, at: now) }
    #expect(try await ledger.progress(of: batch) == progress)
    #expect(try await ledger.summary(batches: 9) == summary)
    #expect(try await life(of: job)?.state == .leased(LeaseToken(1)))
    #expect(try await rows().isEmpty)
    #expect(try await ledger.shares() == KnownShares())
  }
}
