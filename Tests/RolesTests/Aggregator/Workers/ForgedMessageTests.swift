import LedgerMemory
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// A member that speaks for others, or says what its lane has no right to.
@Suite(.timeLimit(.minutes(2)))
struct ForgedMessageTests {
  private static let runKey = RunKey(high: 5, low: 6)
  private let fixture = AggregatorFixture {
    var settings = AggregatorSettings()
    settings.workersMayLive = true
    return settings
  }
  private let fetcher = Address("inproc://fetcher")
  private let thief = Address("inproc://thief")

  private var job: JobID { JobID(batch: fixture.batch, ordinal: 0) }

  private func hello(
    _ number: UInt64, _ role: Role = .fetcher, at address: Address? = nil, held: [LeaseToken] = []
  ) -> Message {
    .hello(
      Hello(
        worker: .numbered(number), role: role, locality: "here", address: address ?? fetcher, granted: 10,
        received: 0, held: held))
  }

  private func ask(_ question: some FleetQuestion, _ address: Address) -> Message {
    .ask(Ask(question, replyTo: address, id: UUIDv7(high: 5, low: 1)))
  }

  private func said(_ message: Message) -> Delivery { .envelope(.said(message)) }

  /// What member 2 says in the name of another.
  private func forged(_ message: Message, secret: LaneSecret = .numbered(2)) -> Delivery {
    .envelope(Envelope(message, secret: secret))
  }

  private func result(_ token: LeaseToken, from number: UInt64, _ members: String = #""title":"forged""#)
    -> Message
  {
    .result(
      JobResult(
        job: job, sender: .numbered(number), lease: Lease(token: token, attempt: 1),
        failure: nil, members: Array(members.utf8), milliseconds: 1))
  }

  private func jobs(at address: Address, _ fixture: AggregatorFixture? = nil) -> Int {
    (fixture ?? self.fixture).sent(to: address).count { if case .job = $0 { true } else { false } }
  }

  private var rows: [NumberedRow] {
    get async { await fixture.ledger.rows(of: fixture.batch, after: 0, limit: 9, bytes: .max) }
  }

  @Test(arguments: [GiveBack.Reason.draining, .peerLost])
  func `a give-back in another's name does not keep a fetcher from its jobs`(_ reason: GiveBack.Reason) async
  {
    let giveBack = Message.giveBack(GiveBack(from: .numbered(1), tokens: [], reason: reason))
    await fixture.run(deliveries: [
      [said(hello(1))], [forged(giveBack)], [said(hello(1))], [said(fixture.submission(0..<1))], [],
    ])
    #expect(jobs(at: fetcher) == 1)
  }

  @Test func `a good-bye in another's name costs a fetcher nothing`() async {
    await fixture.run(deliveries: [
      [said(hello(1))], [said(fixture.submission(0..<1))], [forged(.bye(Bye(worker: .numbered(1))))], [],
    ])
    #expect(jobs(at: fetcher) == 1)
  }

  @Test func `a hello in another's name does not lead its jobs elsewhere`() async {
    await fixture.run(deliveries: [
      [said(hello(1))], [forged(hello(1, at: thief))], [said(fixture.submission(0..<1))], [],
    ])
    #expect(fixture.sent(to: thief).isEmpty)
    #expect(jobs(at: fetcher) == 1)
  }

  @Test func `a worker that names another's address cannot end its lane`() async {
    await fixture.run(deliveries: [
      [said(hello(1))], [said(hello(2))], [said(.bye(Bye(worker: .numbered(2))))],
      [said(fixture.submission(0..<1))], [],
    ])
    #expect(jobs(at: fetcher) == 1)
  }

  @Test func `a result needs the seal of its lease, and its holder's secret`() async {
    let sealed = LeaseToken.sealed(1, of: job)
    await fixture.run(deliveries: [
      [said(hello(1))], [said(fixture.submission(0..<1))], [], [said(hello(2, at: thief))],
      [said(result(LeaseToken(1), from: 2)), forged(result(sealed, from: 1)), said(result(sealed, from: 2))],
    ])
    #expect(await rows.isEmpty)
    await fixture.run(deliveries: [[said(hello(1))], [said(result(sealed, from: 1, #""title":"own""#))]])
    #expect(await rows.count == 1)
  }

  @Test func `a decoder of the holder's locality may answer`() async {
    await fixture.run(deliveries: [
      [said(hello(1)), said(hello(3, .decoder, at: Address("inproc://decoder")))],
      [said(fixture.submission(0..<1))], [], [said(result(.sealed(1, of: job), from: 3))],
    ])
    #expect(await rows.count == 1)
  }

  @Test(arguments: [
    "\"title\":\"a\n\"", #""title":"a"},{"title":"b""#, #""status":"ok""#, #""stat\u0075s":"ok""#,
    #""title""#,
    "\"title\":\"\u{1}\"", #""title":"a","#, "\n{\"id\":1}",
  ])
  func `what cannot be a part of a row fails the attempt`(_ members: String) async {
    await fixture.run(deliveries: [
      [said(hello(1))], [said(fixture.submission(0..<1))], [],
      [said(result(.sealed(1, of: job), from: 1, members))],
    ])
    #expect(await fixture.ledger.openJobs().count == 1, "it is tried again")
    for row in await rows {
      #expect(row.failure == .underlying)
      #expect(!row.json.contains(0x0A))
    }
  }

  /// Over Unix sockets only those that can read the run directory's key may fetch and ask.
  @Test func `a decoder's lane can neither submit nor ask nor fetch`() async {
    let fixture = AggregatorFixture {
      var settings = AggregatorSettings()
      settings.runKey = Self.runKey
      return settings
    }
    let own = LaneSecret.numbered(2)
    let questions = [ask(StatusQuestion(), thief), ask(FetchOptionsQuestion(), thief)]
    await fixture.run(deliveries: [
      ([fixture.submission(0..<1, from: thief), hello(2, at: thief), .drain] + questions).map {
        forged($0, secret: own)
      }, [],
    ])
    #expect(fixture.sent(to: thief).isEmpty)
    let secret = Self.runKey.secret(Randomness { 77 })
    let worker = WorkerID(at: fixture.clock.now, provenBy: secret)
    let hello = Hello(
      worker: worker, role: .fetcher, locality: "here", address: fetcher, granted: 10, received: 0)
    await fixture.run(deliveries: [
      [forged(.hello(hello), secret: secret)],
      [forged(fixture.submission(0..<1), secret: Self.runKey.secret(Randomness { 78 }))], [],
    ])
    #expect(jobs(at: fetcher, fixture) == 1)
  }

  @Test(arguments: [[.client, .decoder], .fetcher] as [LaneRights])
  func `passwords are for fetchers, and answers for clients`(rights: LaneRights) async {
    let place = Address("inproc://\(rights.rawValue)")
    let asked = rights.contains(.fetcher) ? ask(StatusQuestion(), place) : ask(FetchOptionsQuestion(), place)
    var envelope = Envelope.said(asked)
    envelope.rights = rights
    await fixture.run(deliveries: [[.envelope(envelope)], []])
    #expect(fixture.sent(to: place).isEmpty)
    envelope.rights = .all
    await fixture.run(deliveries: [[.envelope(envelope)], []])
    #expect(!fixture.sent(to: place).isEmpty)
  }

  @Test func `a lane without the right to a role is not that role`() async {
    var envelope = Envelope.said(hello(1))
    envelope.rights = [.client, .decoder]
    await fixture.run(deliveries: [[.envelope(envelope)], [said(fixture.submission(0..<1))], []])
    #expect(fixture.sent(to: fetcher).isEmpty)
  }
}
