import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  private static let mine = Address("ipc:///mine")
  private static let other = Address("ipc:///other")
  private static let cancellation = BatchCancellation(cause: "no longer needed", everything: true)

  /// What a batch as a whole is told.
  static let batches: [PortRule<any Ledger>] = refusals + cancellations + endings

  private static let refusals: [PortRule<any Ledger>] = [
    Rule("whoever submits something else changes nothing more in the same commit") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      _ = try await fixture.commit([.submit(fixture.jobs(4), from: mine)])
      var jobs = fixture.jobs(3)
      jobs[2].input = "http://other.test/"
      func incoming(_ jobs: [Job], from sender: Address) -> JobsIn {
        JobsIn(jobs.map { ($0, "", nil) }, of: fixture.batch, from: sender)
      }
      var other = incoming(jobs, from: Self.other)
      other.ends = [
        Settlement(of: jobs[0], lease: nil, end: .dead, failure: .invalidInput, row: Array("{}".utf8))
      ]
      var later = incoming(Array(fixture.jobs(8).dropFirst(4)), from: Self.other)
      later.total = 8
      var changes = Changes(under: .none)
      changes.submissions = [other, later, incoming([fixture.job(4)], from: mine)]
      let made = try await ledger.commit(changes, at: fixture.now).submissions
      #expect(made.map(\.count) == [0, 0, 1])
      #expect(made.map(\.differing) == [DifferingJobs(count: 1, first: 2), nil, nil])
      #expect(made.map(\.isClosed) == [false, false, false])
      #expect(made.map(\.ends) == [[], [], []])
      #expect(try await ledger.progress(of: fixture.batch) == BatchProgress(total: nil, rows: 0, settled: 0))
      #expect(try await ledger.openJobs().map(\.job) == fixture.jobs(5))
      #expect(try await fixture.commit(.close(fixture.batch, total: 5, from: Self.other)) == .applied)
    },
    Rule("a list with fewer jobs than the batch has does not close it") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let answers = try await fixture.commit([
        .submit(fixture.jobs(4), from: mine), .submit(fixture.jobs(2), from: other),
        .close(fixture.batch, total: 2, from: other),
      ])
      #expect(answers == [.inserted(4), .inserted(0), .stale])
      #expect(try await ledger.progress(of: fixture.batch)?.total == nil)
    },
  ]

  private static let cancellations: [PortRule<any Ledger>] = [
    Rule("a cancelled batch stays so until it is resumed") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(1)
      _ = try await fixture.commit([
        .submit(fixture.jobs(4)),
        fixture.settle(fixture.job(1).id, under: nil, .cancelled, failure: .cancelled),
      ])
      #expect(try await fixture.cancelled() == [])
      #expect(try await fixture.commit(.resume(fixture.batch)) == .stale)
      #expect(try await fixture.commit(.cancel(fixture.batch, cancellation)) == .cancelled(jobs: 2))
      #expect(
        try await fixture.cancelled() == [
          Cancelled(id: fixture.batch, cancellation: cancellation, hasOpenJobs: true)
        ])
      // They are counted once, also before they have their rows.
      #expect(try await fixture.commit(.cancel(fixture.batch, cancellation)) == .cancelled(jobs: 0))
      // What ends more stays.
      let weaker = BatchCancellation(cause: "later", everything: false)
      #expect(try await fixture.commit(.cancel(fixture.batch, weaker)) == .cancelled(jobs: 0))
      #expect(try await fixture.cancelled().map(\.cancellation) == [cancellation])
      _ = try await fixture.commit(
        fixture.jobs(4).map { fixture.settle($0.id, under: nil, .cancelled, failure: .cancelled) })
      #expect(try await fixture.cancelled().map(\.hasOpenJobs) == [false])
      #expect(try await fixture.commit(.cancel(fixture.batch, cancellation)) == .cancelled(jobs: 0))
      let progress = BatchProgress(total: nil, rows: 4, settled: 4, cancelled: 3)
      #expect(try await ledger.progress(of: fixture.batch) == progress)
      #expect(try await fixture.commit(.resume(fixture.batch)) == .applied)
      #expect(try await fixture.cancelled() == [])
    },
    Rule("a batch can be cancelled before its first job comes") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let waiting = BatchCancellation(cause: "Ü\u{0}", everything: false)
      #expect(try await fixture.commit(.cancel(fixture.batch, waiting)) == .cancelled(jobs: 0))
      _ = try await fixture.commit(.submit(fixture.jobs(1)))
      #expect(
        try await fixture.cancelled() == [
          Cancelled(id: fixture.batch, cancellation: waiting, hasOpenJobs: true)
        ])
    },
    Rule("of batches that are cancelled or closed without a job only the newest are remembered") {
      ledger async throws in
      let fixture = LedgerFixture(ledger)
      var busy = fixture
      busy.batch = LedgerFixture.batch(9_999)
      _ = try await fixture.commit([.submit(busy.jobs(1)), .cancel(busy.batch, cancellation)])
      let all = (0..<5_000).map { BatchID(UUIDv7(high: 7, low: $0)) }
      for start in stride(from: 0, to: all.count, by: 100) {
        let batches = all[start..<start + 100]
        let answers = try await fixture.commit(
          batches.flatMap { [.cancel($0, cancellation), .close($0, total: 0)] })
        try #require(answers == batches.flatMap { _ in [.cancelled(jobs: 0), .applied] })
      }
      let known = try await fixture.cancelled().map(\.id)
      #expect((1_001...2_001).contains(known.count))
      #expect(Set(known) == Set(all.suffix(known.count - 1) + [busy.batch]))
      #expect(try await ledger.progress(of: all[0]) == nil)
    },
    Rule("what is forgotten is not known as cancelled") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(2)
      _ = try await fixture.commit([.close(fixture.batch, total: 2), .cancel(fixture.batch, cancellation)])
      let after = fixture.now.advanced(byMilliseconds: 1)
      _ = try await ledger.forget(.old(unreadBefore: after), before: after, limit: 9)
      #expect(try await fixture.cancelled() == [])
    },
  ]

  private static let endings: [PortRule<any Ledger>] = [
    Rule("a batch that lacks jobs is unfinished since its last submission") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var (whole, lacking, calls) = (fixture, fixture, fixture)
      whole.batch = LedgerFixture.batch(2)
      lacking.batch = LedgerFixture.batch(3)
      calls.batch = BatchID.calls(of: fixture.job(0).id, life: 0)
      _ = try await fixture.commit([
        .submit(fixture.jobs(2)), .submit(whole.jobs(1)), .close(whole.batch, total: 1),
        .submit(calls.jobs(1)),
        .submit(lacking.jobs(1)), .close(lacking.batch, total: 2),
      ])
      let later = fixture.now.advanced(byMilliseconds: 1)
      func unfinished(_ moment: Moment, limit: Int = 9) async throws -> [BatchID] {
        try await ledger.batches(.unfinished(before: moment, limit: limit)).items.map(\.id)
      }
      #expect(try await unfinished(fixture.now) == [])
      #expect(try await unfinished(later) == [fixture.batch, lacking.batch])
      #expect(try await unfinished(later, limit: 1) == [fixture.batch])
      _ = try await ledger.commit(
        [.submit(fixture.jobs(1)), lacking.settle(lacking.job(0).id, under: nil)], at: later)
      #expect(try await unfinished(later) == [lacking.batch])
    },
    Rule("an abandoned batch has the jobs that are there, until another one comes") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(2)
      #expect(try await fixture.commit(.abandon(fixture.batch)) == .applied)
      #expect(try await fixture.commit(.abandon(fixture.batch)) == .stale)
      var progress = BatchProgress(total: 2, rows: 2, settled: 2, isAbandoned: true)
      #expect(try await ledger.progress(of: fixture.batch) == progress)
      let after = fixture.now.advanced(byMilliseconds: 1)
      #expect(try await ledger.batches(.unfinished(before: after, limit: 9)).items.isEmpty)
      _ = try await fixture.commit(.submit(fixture.jobs(2)))
      #expect(try await ledger.progress(of: fixture.batch) == progress)
      _ = try await fixture.commit(.submit(fixture.jobs(3)))
      (progress.total, progress.isAbandoned) = (nil, false)
      #expect(try await ledger.progress(of: fixture.batch) == progress)
      _ = try await fixture.commit([
        fixture.settle(fixture.job(2).id, under: nil), .close(fixture.batch, total: 9),
        .abandon(fixture.batch),
      ])
      progress = BatchProgress(total: 3, rows: 3, settled: 3, isAbandoned: true)
      #expect(try await ledger.progress(of: fixture.batch) == progress)
      #expect(try await fixture.commit(.close(fixture.batch, total: 3)) == .applied)
      progress.isAbandoned = false
      #expect(try await ledger.progress(of: fixture.batch) == progress)
      #expect(try await fixture.commit(.abandon(LedgerFixture.batch(7))) == .stale)
    },
    Rule("an abandoned batch is forgotten as any other") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      try await fixture.finish(2)
      _ = try await fixture.commit(.abandon(fixture.batch))
      let after = fixture.now.advanced(byMilliseconds: 1)
      #expect(try await ledger.forget(.old(unreadBefore: after), before: after, limit: 9) == 2)
      #expect(try await ledger.progress(of: fixture.batch) == nil)
    },
  ]
}

private struct Cancelled: Equatable {
  var id: BatchID
  var cancellation: BatchCancellation?
  var hasOpenJobs: Bool
}

extension LedgerFixture {
  fileprivate func cancelled() async throws -> [Cancelled] {
    try await ledger.batches(.cancelled).items.map {
      Cancelled(id: $0.id, cancellation: $0.cancellation, hasOpenJobs: $0.open > 0)
    }
  }
}
