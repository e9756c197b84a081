import JSONQuery
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Which work on the ledger is done when, and what becomes of work whose command is gone.
struct CareOrderTests {
  private let now = Moment(unixMilliseconds: 1_000)
  private let choice = ForgettingChoice(unconfirmedToo: true)

  private func id(_ number: UInt64) -> UUIDv7 { UUIDv7(high: 0x7000, low: 1 << 63 | number) }

  private func run(_ number: UInt64, askedAt moment: Moment? = nil) -> LedgerTaskRun {
    var run = LedgerTaskRun(.forget(choice, olderThanMilliseconds: 0), id: id(number), at: now)
    run.askedAt = moment
    return run
  }

  private func states(_ fixture: AggregatorFixture) throws -> [String?] {
    try fixture.tells.map { try JSONDocument(parsing: $0.json).root["state"]?.string }
  }

  @Test func `works are done one after another, each at its pace`() {
    var care = LedgerCare()
    #expect(care.next == nil && care.due(at: now) == nil)
    care.begin(run(1, askedAt: now))
    care.begin(run(2, askedAt: now))
    #expect(care.due(at: now)?.id == id(1))
    care.stepped(run(1), microseconds: 4_000, at: now, isQuiet: false)
    #expect(care.due(at: now) == nil)
    #expect(care.next == now.advanced(byMilliseconds: 124))
    #expect(care.due(at: now.advanced(byMilliseconds: 124))?.id == id(1))
  }

  @Test func `work ends when nobody has asked for it for long, unless it is the fleet's own`() {
    var care = LedgerCare()
    care.begin(run(1, askedAt: now))
    care.begin(run(2))
    care.begin(run(3, askedAt: now))
    care.begin(run(4, askedAt: now))
    let later = now.advanced(byMilliseconds: 20_000)
    #expect(care.report(on: id(3), at: later)?.state == .working)
    #expect(care.dropUnasked(at: later) == nil)
    #expect(care.dropUnasked(at: later.advanced(byMilliseconds: 1))?.id == id(1), "it was under way")
    #expect(care.works.map(\.id) == [id(2), id(3)])
    #expect(care.report(on: id(1), at: later) == nil)
  }

  @Test(.timeLimit(.minutes(1)))
  func `the same order given again has the same answer, and nothing is done twice`() async throws {
    let fixture = AggregatorFixture()
    let task = LedgerTask.forget(choice, olderThanMilliseconds: 0)
    let (order, question) = (
      fixture.ask(CareOrder(task), id: 1), CareQuestion(of: UUIDv7(high: 5, low: 1), task)
    )
    await fixture.run([[order], [fixture.ask(question)], [order], [fixture.ask(question)]])
    #expect(try states(fixture) == ["working", "done", "working", "done"])
  }

  @Test(.timeLimit(.minutes(1)))
  func `an aggregator that was started meanwhile does not begin anew`() async throws {
    let fixture = AggregatorFixture()
    await fixture.run([[fixture.ask(CareQuestion(of: id(1), .copy))]])
    let cause = try JSONDocument(parsing: try #require(fixture.tells.first).json).root["cause"]?.string
    #expect(cause == "the aggregator was restarted meanwhile; run the command again")
  }

  @Test(.timeLimit(.minutes(1)))
  func `more commands than a few are refused`() async throws {
    let fixture = AggregatorFixture()
    let task = LedgerTask.forget(choice, olderThanMilliseconds: 0)
    await fixture.run([(0..<20).map { fixture.ask(CareOrder(task), id: $0) }])
    #expect(try states(fixture).filter { $0 == "failed" }.count == 20 - LedgerCare.most)
  }
}
