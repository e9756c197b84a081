import Pipeline
import Testing

extension LedgerSuite {
  private typealias Rule = PortRule<any Ledger>

  static let runs: [PortRule<any Ledger>] = [
    Rule("a run waits, is given to nobody, and ends") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let run = fixture.run(0)
      #expect(try await fixture.commit(.submit([run, fixture.job(1)])) == .inserted(2))
      #expect(try await fixture.life(of: run.id)?.state == .waiting)
      #expect(try await fixture.open(.waiting) == [run.id])
      #expect(try await fixture.open(.ready) == [fixture.job(1).id])
      #expect(try await fixture.open(.of(fixture.batch)) == [run.id, fixture.job(1).id])
      #expect(try await ledger.page(JobQuery(.waiting)).items.map(\.job) == [run])
      #expect(try await fixture.commit(.grant(run.id, fixture.lease(1), to: fixture.worker)) == .stale)
      #expect(try await fixture.commit(fixture.settle(run.id, under: fixture.lease(1))) == .stale)
      let counts = try await ledger.summary(batches: 0).jobs
      #expect(counts.waiting == 1 && counts.ready == 1 && counts.open == 2)
      #expect(try await fixture.commit(fixture.settle(run.id, under: nil, row: "a")) == .applied)
      #expect(try await fixture.commit(fixture.settle(run.id, under: nil, row: "b")) == .stale)
      #expect(try await fixture.open(.waiting).isEmpty)
      #expect(try await fixture.rows().map(\.json) == [Array("a".utf8)])
      #expect(try await ledger.summary(batches: 0).jobs.waiting == 0)
    },
    Rule("runs that wait come in the order of their ids, in pages") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let runs = (0..<20).map { fixture.run($0) }
      _ = try await fixture.commit(.submit(runs.shuffled()))
      #expect(try await fixture.pages(of: .waiting, limit: 7) == runs.map(\.id))
    },
    Rule("a run that is requeued waits again, and its calls of before stay over") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var calls = fixture
      let run = fixture.run(0)
      calls.batch = .calls(of: run.id, life: 0)
      _ = try await fixture.commit([
        .submit([run]), .submit(calls.jobs(2)), calls.settle(calls.job(0).id, under: nil),
        calls.settle(calls.job(1).id, under: nil, .cancelled, failure: .dns),
        fixture.settle(run.id, under: nil, .dead, failure: .dns), .close(calls.batch, total: 2),
        .confirmRows(calls.batch, upTo: 2),
      ])
      #expect(try await ledger.deadJobs(of: nil, after: nil, limit: 9) == [run.id])
      #expect(try await fixture.commit(.requeue(run.id)) == .applied)
      #expect(try await fixture.open(.waiting) == [run.id])
      #expect(try await ledger.openJobs().map(\.id) == [run.id])
      #expect(try await fixture.life(of: run.id)?.attempts == 1)
      #expect(try await ledger.progress(of: calls.batch)?.total == 2)
      #expect(try await ledger.progress(of: .calls(of: run.id, life: 1)) == nil)
    },
    Rule("a run counts its lives, whatever was forgotten of them") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      let run = fixture.run(0)
      _ = try await fixture.commit(.submit([run]))
      for life in 1...3 as ClosedRange<UInt16> {
        #expect(
          try await fixture.commit(fixture.settle(run.id, under: nil, .dead, failure: .dns)) == .applied)
        #expect(try await fixture.commit(.requeue(run.id)) == .applied)
        #expect(try await fixture.life(of: run.id)?.attempts == life)
        #expect(try await fixture.life(of: run.id)?.state == .waiting)
      }
    },
    Rule("a run is overdue as it waits") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var run = fixture.run(0)
      run.deadline = fixture.later
      _ = try await fixture.commit(.submit([run]))
      #expect(try await fixture.open(.overdue(at: fixture.later)) == [run.id])
      #expect(try await fixture.open(.overdue(at: fixture.now)).isEmpty)
    },
    Rule("calls stand in no list of batches, and are counted as jobs") { ledger async throws in
      let fixture = LedgerFixture(ledger)
      var calls = fixture
      calls.batch = .calls(of: fixture.run(0).id, life: 0)
      _ = try await fixture.commit([.submit([fixture.run(0)]), .submit(calls.jobs(3))])
      let summary = try await ledger.summary(batches: 9)
      #expect(summary.batches.map(\.id) == [fixture.batch])
      #expect(summary.jobs.ready == 3 && summary.jobs.waiting == 1)
    },
  ]
}

extension LedgerFixture {
  fileprivate func run(_ ordinal: UInt64) -> Job {
    var run = Job(batch: batch, ordinal: ordinal, kind: .run, input: "mine.json")
    run.reading = Reading(select: nil)
    run.reading.recipe = "{}"
    run.reading.parameters = ["a=1", "b=ü"]
    return run
  }
}
