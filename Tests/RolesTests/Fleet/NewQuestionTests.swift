import JSONQuery
import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What a new question takes: a type, and a handler.
private struct SumQuestion: FleetQuestion {
  typealias Reply = Int
  static let name = "sum"

  var numbers: [Int]
}

extension Aggregator {
  fileprivate func learnSums() {
    questions.answer(SumQuestion.self) { _, question, _ in question.numbers.reduce(0, +) }
  }
}

/// Asks for what nobody has a handler of.
private struct FutureOrder: FleetQuestion {
  typealias Reply = Int
  static let name = "from-the-future"
  static let changes = true
}

@Suite(.timeLimit(.minutes(10)))
struct NewQuestionTests {
  private let fixture = AggregatorFixture()

  private func tells(_ messages: [Message], learning: Bool = false) async -> [Tell] {
    let transport = RecordingTransport()
    let inbox = ScriptedInbox(
      Address("inproc://aggregator"), [messages.map { .envelope(.said($0)) }, []], beforeEach: {})
    let aggregator = Aggregator(
      settings: .init(), inbox: inbox, ledger: fixture.ledger,
      ports: RolePorts(transport: transport, clock: fixture.clock, random: .seeded(1)))
    if learning { await aggregator.learnSums() }
    try? await aggregator.run()
    return transport.sent(to: fixture.client).compactMap {
      if case .tell(let tell) = $0 { tell } else { nil }
    }
  }

  @Test func `a question that is known by its handler alone is answered`() async throws {
    let tells = await tells([fixture.ask(SumQuestion(numbers: [1, 2, 39]))], learning: true)
    #expect(try tells.map { try $0.reply(as: Int.self) } == [42])
  }

  @Test func `a question that is not known, or not in this form, is told to be that`() async throws {
    var unreadable = Ask(SumQuestion(numbers: []), replyTo: fixture.client, id: UUIDv7(high: 5, low: 1))
    unreadable.json = Array(#"{"numbers":"many"}"#.utf8)
    #expect(await tells([.ask(unreadable)], learning: true).map(\.refusal) == [.unreadable])
    unreadable.json = []
    #expect(await tells([.ask(unreadable)], learning: true).map(\.refusal) == [.unreadable])
    #expect(await tells([.ask(unreadable)]).map(\.refusal) == [.unknown])
    #expect(await tells([fixture.ask(FutureOrder())]).map(\.refusal) == [.unknown])
    let ofAll = fixture.ask(CancelOrder(JobChoice(), cause: "enough"))
    #expect(await tells([ofAll]).map(\.refusal) == [.unreadable])
  }

  @Test func `a client hears at once that the fleet is older than its question`() async throws {
    try await TestPipeline(.framed).withFleet(over: ScriptedFetching([:])) { fleet async throws -> Void in
      let client = try await fleet.client()
      let refused = QuestionRefused(name: FutureOrder.name, refusal: .unknown)
      await #expect(throws: refused) { try await client.ask(FutureOrder()) }
      #expect(try await client.ask(LedgerSizeQuestion()).bytes.isEmpty == false)
    }
  }

  @Test func `nobody waits for a reply that cannot be written`() {
    let ask = Ask(SumQuestion(numbers: []), replyTo: fixture.client, id: UUIDv7(high: 5, low: 1))
    let tell = Tell(to: ask, at: fixture.clock.now, 0.5)
    #expect(tell.isFinal && tell.refusal == .unreadable)
    #expect(Tell(to: ask, at: fixture.clock.now, 5).refusal == nil)
  }

  @Test func `an order without a deadline changes nothing, and is told the time`() async throws {
    let order = Ask(
      CancelOrder(JobChoice(fixture.batch), cause: "enough"), replyTo: fixture.client,
      id: UUIDv7(high: 5, low: 1))
    await fixture.run([[fixture.submission(0..<3)], [.ask(order)], []])
    #expect(fixture.tells.map(\.isFinal) == [false])
    #expect(fixture.tells.map(\.id) == [order.id])
    #expect(fixture.tells.allSatisfy { $0.at <= fixture.clock.now && $0.at.unixMilliseconds > 0 })
    #expect(await fixture.ledger.progress(of: fixture.batch)?.cancelled == 0)
    #expect(await fixture.ledger.batches(.cancelled).items.isEmpty)
  }

  @Test func `texts of an order are shortened where it comes in`() throws {
    let long = String(repeating: "x", count: 5_000)
    func taken<Question: FleetQuestion>(_ question: Question) -> Question? {
      Ask(question, replyTo: fixture.client, id: UUIDv7(high: 5, low: 1)).question(as: Question.self)
    }
    var terms = BatchTerms(name: "monday")
    terms.weight = 7
    #expect(taken(ChangeOrder(fixture.batch, terms))?.terms == terms)
    var json = Ask(ChangeOrder(fixture.batch, terms), replyTo: fixture.client, id: UUIDv7(high: 5, low: 1))
    json.json = Array(String(decoding: json.json, as: UTF8.self).replacing("monday", with: long).utf8)
    let name = try #require(json.question(as: ChangeOrder.self)?.terms.name)
    #expect(name.utf8.count <= BatchTerms.longestName)
    json = Ask(PauseOrder(Pause(by: "ann@box"), of: .all), replyTo: fixture.client, id: json.id)
    json.json = Array(String(decoding: json.json, as: UTF8.self).replacing("ann@box", with: long).utf8)
    let author = try #require(json.question(as: PauseOrder.self)?.pause?.by)
    #expect(author.utf8.count <= Pause.longestText)
    for scope in [PauseScope.host(""), .host(long)] { #expect(taken(PauseOrder(nil, of: scope)) == nil) }
    var pause = Pause(by: "ann@box")
    pause.lastsMilliseconds = 0
    #expect(taken(PauseOrder(pause, of: .all)) == nil)
  }
}
