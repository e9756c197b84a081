import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What is paused starts nothing, also after the aggregator died.
@Suite(.timeLimit(.minutes(10)))
struct PauseTests {
  private let fixture = AggregatorFixture {
    var settings = AggregatorSettings()
    (settings.mostInMemory, settings.workersMayLive) = (1_000, true)
    return settings
  }
  private let fetcher = Address("inproc://fetcher")
  private static let pause = Pause(by: "ann@box")

  private var hello: Message {
    .hello(
      Hello(
        worker: WorkerID.numbered(1), role: .fetcher, locality: "here", address: fetcher,
        granted: 100, received: 0))
  }

  private func pause(_ scope: PauseScope, _ pause: Pause? = Self.pause, id: UInt64 = 1) -> Message {
    fixture.ask(PauseOrder(pause, of: scope), id: id)
  }

  private var progress: Message { fixture.ask(ProgressQuestion(of: fixture.batch)) }

  private var outcomes: [PauseOrder.Reply] { fixture.replies() }

  private var given: Int {
    fixture.sent(to: fetcher).count { if case .job = $0 { true } else { false } }
  }

  private func outcome(_ isPaused: Bool, changed: Bool = true) -> PauseOrder.Reply {
    PauseOrder.Reply(isPaused: isPaused, wasChanged: changed)
  }

  @Test(arguments: [PauseScope.all, .host("a.test"), .batch(BatchID(UUIDv7(high: 2, low: 1)))])
  func `nothing starts before it is resumed, whoever dies in between`(scope: PauseScope) async {
    // The batch is there before it can be paused, and its jobs wait in memory.
    await fixture.run([
      [fixture.submission(0..<20)], [pause(scope)], [hello], [hello], [hello],
    ])
    #expect(outcomes == [outcome(true)])
    #expect(given == 0)
    await fixture.run([[hello], [fixture.submission(20..<30, sequence: 1)], [hello], [hello]])
    #expect(given == 0)
    await fixture.run([[hello], [pause(scope, nil, id: 2)], [hello], [hello], []])
    #expect(outcomes.last == outcome(false))
    #expect(given > 0)
    await fixture.run([[hello], [hello], []])
    #expect(fixture.sent(to: fetcher).count > given)
  }

  @Test func `a repeated wish is answered as the first time, and another one that nothing changed`() async {
    await fixture.run([
      [fixture.submission(0..<2)], [pause(.all), pause(.all)],
      [pause(.all)],
      [pause(.all, id: 2)], [pause(.host("b.test"), nil, id: 3)], [],
    ])
    #expect(
      outcomes == [
        outcome(true), outcome(true), outcome(true, changed: false), outcome(false, changed: false),
      ])
    let ids = fixture.tells.map(\.id.low)
    #expect(ids == [1, 1, 2, 3])
  }

  @Test func `a wish that comes too late changes nothing`() async {
    let late = fixture.ask(PauseOrder(Self.pause, of: .all), within: 0)
    await fixture.run([[fixture.submission(0..<2)], [late], []])
    #expect(fixture.tells.isEmpty)
    #expect(await fixture.ledger.shares() == KnownShares())
  }

  @Test func `other hosts and batches go on, and jobs of a paused batch let others ask for what they would`()
    async
  {
    let other = BatchID(UUIDv7(high: 2, low: 7 << 40))
    // The same link as the first of the paused batch.
    let jobs = ["http://a.test/0", "http://b.test/"].enumerated().map { index, link in
      Job(batch: other, ordinal: UInt64(index), kind: .unfurl, input: link)
    }
    let submit = Submit(batch: other, sequence: 0, replyTo: Address("inproc://other"), jobs: jobs)
    await fixture.run([
      [fixture.submission(0..<3)], [.submit(submit)], [pause(.batch(fixture.batch))],
      [hello], [hello],
      [],
    ])
    let orders = fixture.sent(to: fetcher).compactMap { message -> JobOrder? in
      if case .job(let order) = message { order } else { nil }
    }
    #expect(Set(orders.map(\.job.batch)) == [other])
    #expect(orders.count == 2)
  }

  @Test func `the status tells what is paused and what batches ask for`() async throws {
    var terms = BatchTerms(name: "monday")
    (terms.weight, terms.atMost, terms.perHour) = (100, 3, 18_000)
    terms.startsAt = Moment(unixMilliseconds: 1_700_000_000_000)
    let job = Job(batch: fixture.batch, ordinal: 0, kind: .unfurl, input: "http://a.test/")
    let submit = Submit(
      batch: fixture.batch, sequence: 0, replyTo: fixture.producer, jobs: [job], terms: terms)
    await fixture.run([
      [.submit(submit)],
      [
        pause(.all), pause(.host("a.test"), id: 2),
        pause(.batch(fixture.batch), id: 3),
      ], [],
      [fixture.ask(StatusQuestion()), progress], [],
    ])
    let status = try #require(
      fixture.tells.map { String(decoding: $0.json, as: UTF8.self) }.first { $0.contains("halyard.status/1") }
    )
    for place in [#""all":true"#, #""host":"a.test""#, "\"batch\":\"\(fixture.batch)\""] {
      #expect(status.contains("{\(place),\"since\":"))
    }
    #expect(status.contains(#""by":"ann@box"}],"other_pauses":0"#))
    #expect(
      status.contains(
        #""paused":true,"unread":0,"weight":100,"at_most":3,"rate":"5/s","starts_at":"2023-11-14T22:13:20.000Z"}"#
      ),
      "\(status)")
    let told: [BatchProgress] = fixture.replies()
    #expect(told.contains { $0.isPaused })
  }

  @Test(arguments: [PauseScope.all, .host("a.test"), .batch(BatchID(UUIDv7(high: 2, low: 1)))])
  func `a pause with an end is over by itself, also after the aggregator died`(scope: PauseScope) async {
    let short = Pause(by: "ann@box", lastsMilliseconds: 60_000)
    await fixture.run([[fixture.submission(0..<20)], [pause(scope, short)], [hello], [hello]])
    #expect(given == 0)
    #expect(await fixture.ledger.shares().pauses[scope]?.until != nil)
    fixture.clock.advance(byMilliseconds: 61_000)
    await fixture.run([[hello], [hello], [hello], [hello], []])
    #expect(given > 0)
    #expect(await fixture.ledger.shares().pauses.isEmpty)
  }

  @Test func `whoever asks for a batch is told what keeps its jobs back`() async throws {
    let short = Pause(by: "ann@box", reason: "maintenance")
    await fixture.run([
      [fixture.submission(0..<2)], [pause(.host("a.test"), short)], [hello], [hello],
      [progress], [pause(.all, short, id: 3)], [hello],
      [progress], [],
    ])
    let told = (fixture.replies() as [BatchProgress]).compactMap(\.pause?.scope)
    #expect(told == [.host("a.test"), .all])
  }
}
