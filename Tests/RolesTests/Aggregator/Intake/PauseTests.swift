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

  private func ask(_ question: Query.Question, id: UInt64 = 1) -> Message {
    .query(Query(replyTo: fixture.client, question, id: UUIDv7(high: 5, low: id)))
  }

  private var given: Int {
    fixture.sent(to: fetcher).count { if case .job = $0 { true } else { false } }
  }

  private func answer(
    _ scope: PauseScope, _ isPaused: Bool, changed: Bool = true, id: UInt64 = 1
  ) -> Answer {
    .pausing(scope, isPaused: isPaused, wasChanged: changed, to: UUIDv7(high: 5, low: id))
  }

  @Test(arguments: [PauseScope.all, .host("a.test"), .batch(BatchID(UUIDv7(high: 2, low: 1)))])
  func `nothing starts before it is resumed, whoever dies in between`(scope: PauseScope) async {
    // The batch is there before it can be paused, and its jobs wait in memory.
    await fixture.run([
      [fixture.submission(0..<20)], [ask(.pause(scope, Self.pause))], [hello], [hello], [hello],
    ])
    #expect(fixture.answers == [answer(scope, true)])
    #expect(given == 0)
    await fixture.run([[hello], [fixture.submission(20..<30, sequence: 1)], [hello], [hello]])
    #expect(given == 0)
    await fixture.run([[hello], [ask(.resume(scope), id: 2)], [hello], [hello], []])
    #expect(fixture.answers.last == answer(scope, false, id: 2))
    #expect(given > 0)
    await fixture.run([[hello], [hello], []])
    #expect(fixture.sent(to: fetcher).count > given)
  }

  @Test func `a repeated wish is answered as the first time, and another one that nothing changed`() async {
    await fixture.run([
      [fixture.submission(0..<2)], [ask(.pause(.all, Self.pause)), ask(.pause(.all, Self.pause))],
      [ask(.pause(.all, Self.pause))],
      [ask(.pause(.all, Self.pause), id: 2)], [ask(.resume(.host("b.test")), id: 3)], [],
    ])
    #expect(
      fixture.answers == [
        answer(.all, true), answer(.all, true), answer(.all, true, changed: false, id: 2),
        answer(.host("b.test"), false, changed: false, id: 3),
      ])
  }

  @Test func `a wish that comes too late changes nothing`() async {
    let late = Query(
      replyTo: fixture.client, .pause(.all, Self.pause), deadline: fixture.clock.now,
      id: UUIDv7(high: 5, low: 1))
    await fixture.run([[fixture.submission(0..<2)], [.query(late)], []])
    #expect(fixture.answers.isEmpty)
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
      [fixture.submission(0..<3)], [.submit(submit)], [ask(.pause(.batch(fixture.batch), Self.pause))],
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
        ask(.pause(.all, Self.pause)), ask(.pause(.host("a.test"), Self.pause), id: 2),
        ask(.pause(.batch(fixture.batch), Self.pause), id: 3),
      ], [],
      [ask(.status), ask(.progress(of: fixture.batch))], [],
    ])
    let status = try #require(
      fixture.answers.compactMap {
        if case .status(let json) = $0 { String(decoding: json, as: UTF8.self) } else { nil }
      }
      .first)
    for place in [#""all":true"#, #""host":"a.test""#, "\"batch\":\"\(fixture.batch)\""] {
      #expect(status.contains("{\(place),\"since\":"))
    }
    #expect(status.contains(#""by":"ann@box"}],"other_pauses":0"#))
    #expect(
      status.contains(
        #""paused":true,"unread":0,"weight":100,"at_most":3,"rate":"5/s","starts_at":"2023-11-14T22:13:20.000Z"}"#
      ),
      "\(status)")
    let isPaused = fixture.answers.contains {
      if case .progress(_, let progress, _) = $0 { progress?.isPaused == true } else { false }
    }
    #expect(isPaused)
  }

  @Test(arguments: [PauseScope.all, .host("a.test"), .batch(BatchID(UUIDv7(high: 2, low: 1)))])
  func `a pause with an end is over by itself, also after the aggregator died`(scope: PauseScope) async {
    let pause = Pause(by: "ann@box", lastsMilliseconds: 60_000)
    await fixture.run([[fixture.submission(0..<20)], [ask(.pause(scope, pause))], [hello], [hello]])
    #expect(given == 0)
    #expect(await fixture.ledger.shares().pauses[scope]?.until != nil)
    fixture.clock.advance(byMilliseconds: 61_000)
    await fixture.run([[hello], [hello], [hello], [hello], []])
    #expect(given > 0)
    #expect(await fixture.ledger.shares().pauses.isEmpty)
  }

  @Test func `whoever asks for a batch is told what keeps its jobs back`() async throws {
    let pause = Pause(by: "ann@box", reason: "maintenance")
    await fixture.run([
      [fixture.submission(0..<2)], [ask(.pause(.host("a.test"), pause))], [hello], [hello],
      [ask(.progress(of: fixture.batch), id: 2)], [ask(.pause(.all, pause), id: 3)], [hello],
      [ask(.progress(of: fixture.batch), id: 4)], [],
    ])
    let told = fixture.answers.compactMap { answer -> PauseScope? in
      if case .progress(of: _, let progress, at: _) = answer { progress?.pause?.scope } else { nil }
    }
    #expect(told == [.host("a.test"), .all])
  }
}
