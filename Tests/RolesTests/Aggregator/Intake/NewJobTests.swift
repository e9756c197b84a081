import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Jobs of a batch that nobody knew before start in the turn in which they come; others wait for what the ledger says of them.
@Suite(.timeLimit(.minutes(2)))
struct NewJobTests {
  private let fixture = AggregatorFixture()
  private let worker = WorkerID.numbered(1)
  private let fetcher = Address("inproc://fetcher")

  private var hello: Message { hello(granted: 9) }

  private func hello(granted: UInt64) -> Message {
    .hello(
      Hello(
        worker: worker, role: .fetcher, locality: "here", address: fetcher, granted: granted, received: 0))
  }

  private var orders: [UInt64] {
    fixture.sent(to: fetcher).compactMap { message in
      if case .job(let order) = message { order.job.ordinal } else { nil }
    }
  }

  private func inputs(in fixture: AggregatorFixture) -> [String] {
    fixture.sent(to: fetcher).compactMap { message in
      if case .job(let order) = message { order.job.input } else { nil }
    }
  }

  @Test func `a receipt and the orders leave after one commit`() async throws {
    await fixture.run([[hello], [fixture.submission(0..<3)]])
    #expect(fixture.receipts().map(\.inserted) == [3])
    #expect(orders == [0, 1, 2])
    let open = await fixture.ledger.page(JobQuery(.leased)).items
    #expect(open.map(\.job.ordinal) == [0, 1, 2])
    #expect(open.map(\.state.worker) == [worker, worker, worker])
  }

  @Test func `a job that is cancelled in the turn in which it comes is not given out`() async throws {
    let cancel = Message.cancel(Cancel(.jobs(of: fixture.batch, [1]), cause: "enough"))
    await fixture.run([[hello], [fixture.submission(0..<3), cancel], []])
    #expect(orders == [0, 2])
    #expect(await fixture.ledger.progress(of: fixture.batch)?.cancelled == 1)
  }

  @Test func `a job that is over is not given out again, and the others of its list are`() async throws {
    let done = Job(batch: fixture.batch, ordinal: 1, kind: .unfurl, input: "http://a.test/1")
    let end = Settlement(of: done, lease: nil, end: .done, failure: nil, row: Array("{}".utf8))
    _ = try await fixture.ledger.commit([.submit([done]), .settle(end)], at: fixture.clock.now)
    await fixture.run([[hello], [fixture.submission(0..<3)], [], [], []])
    #expect(fixture.receipts().map(\.inserted) == [2])
    #expect(Set(orders) == [0, 2])
  }

  @Test func `a message that is repeated leaves the jobs that wait where they are`() async throws {
    let message = fixture.submission(0..<3)
    let credit = Message.credit(Credit(from: worker, granted: 9))
    await fixture.run([[hello(granted: 1)], [message], [message], [credit], []])
    #expect(fixture.receipts().map(\.inserted) == [3, 0])
    #expect(orders == [0, 1, 2])
  }

  @Test func `what differs from a job that waits in the ledger gets no lease of it`() async throws {
    let fixture = AggregatorFixture {
      var settings = AggregatorSettings()
      settings.mostInMemory = 8
      return settings
    }
    let other = fixture.submission(39..<40, sequence: 1, host: "b.test")
    await fixture.run([[hello(granted: 1)], [fixture.submission(0..<40)], [other], [other], []])
    #expect(fixture.receipts().last?.differing == DifferingJobs(count: 1, first: 39))
    #expect(inputs(in: fixture) == ["http://a.test/0"])
  }

  @Test func `a job whose time is over does not begin`() async throws {
    guard case .submit(var submit) = fixture.submission(0..<2) else { return }
    submit.jobs[0].deadline = fixture.clock.now
    await fixture.run([[hello], [.submit(submit)], [], []])
    #expect(orders == [1])
  }

  @Test func `of a list that differs from the batch's nothing is given out`() async throws {
    let other = Job(batch: fixture.batch, ordinal: 2, kind: .unfurl, input: "http://b.test/")
    await fixture.run([[hello], [fixture.submission(0..<2)]])
    _ = try await fixture.ledger.commit([.submit([other])], at: fixture.clock.now)
    await fixture.run([[hello], [fixture.submission(2..<5, sequence: 1)], [], []])
    #expect(fixture.receipts().last?.differing == DifferingJobs(count: 1, first: 2))
    #expect(
      !inputs(in: fixture).contains {
        ["http://a.test/2", "http://a.test/3", "http://a.test/4"].contains($0)
      })
    #expect(await fixture.ledger.openJobs().count == 3)
  }

  @Test func `a batch with terms waits for the ledger's word, and so does the rest of its list`() async throws
  {
    guard case .submit(var first) = fixture.submission(0..<2) else { return }
    first.terms = BatchTerms()
    first.terms?.startsAt = fixture.clock.now.advanced(byMilliseconds: 60_000)
    await fixture.run([[hello], [.submit(first), fixture.submission(2..<4, sequence: 1)], []])
    #expect(fixture.receipts().map(\.inserted) == [2, 2])
    #expect(orders.isEmpty)
  }

  @Test func `a batch that may not start waits for the ledger's word`() async throws {
    _ = try await fixture.ledger.commit(
      [.pause(.all, Pause(by: "ann@box", at: fixture.clock.now))], at: fixture.clock.now)
    await fixture.run([[hello], [fixture.submission(0..<3)], []])
    #expect(fixture.receipts().map(\.inserted) == [3])
    #expect(orders.isEmpty)
  }

  @Test func `places that were sent before are not new, whoever sends them`() {
    var submitters = Submitters()
    func spoke(_ address: String) {
      _ = submitters.spoke(Address(address), of: fixture.batch, at: fixture.clock.now) { _ in false }
    }
    func goesOn(_ ordinals: [UInt64]) -> Bool {
      let jobs = ordinals.map { Job(batch: fixture.batch, ordinal: $0, kind: .echo, input: nil) }
      return submitters.goesOn(
        Submit(batch: fixture.batch, sequence: 0, replyTo: fixture.producer, jobs: jobs))
    }
    spoke("a")
    #expect(
      [goesOn([0, 1]), goesOn([2, 5]), goesOn([2, 5]), goesOn([6, 6]), goesOn([9, 8]), goesOn([10])]
        == [true, true, false, false, false, true])
    _ = goesOn([.max])
    #expect(!goesOn([11]))
  }
}
