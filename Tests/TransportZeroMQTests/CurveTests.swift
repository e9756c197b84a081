import Assembly
import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportZeroMQ
import ZeroMQ

/// TCP with keys: both ends prove who they are, each with a pair of its own, and nobody else comes in.
@Suite(.timeLimit(.minutes(10)))
struct CurveTests {
  private let server: CurveKeyPair
  private let known: CurveKeyPair
  private let unknown: CurveKeyPair

  init() throws {
    server = try #require(CurveKeyPair.generate())
    known = try #require(CurveKeyPair.generate())
    unknown = try #require(CurveKeyPair.generate())
  }

  /// One whose aggregator has the pair `server`.
  private func shared(_ own: CurveKeyPair) throws -> TestContext {
    try TestContext(ZeroMQSettings(curve: curve(own, allowed: known)))
  }

  @Test func `a client in the list comes in`() async throws {
    let (receiver, sender) = (try shared(server), try shared(known))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await sender.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
  }

  @Test func `what a client may say follows from its key`() async throws {
    var keys = curve(server)
    keys.allowed = [known.publicKey: .decoder, unknown.publicKey: [.client, .fetcher]]
    let receiver = try TestContext(ZeroMQSettings(curve: keys))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let members: [(CurveKeyPair, LaneRights)] = [(known, .decoder), (unknown, [.client, .fetcher])]
    for (own, rights) in members {
      let sender = try shared(own)
      let outlet = try await sender.transport.connect(to: inbox.address)
      try await outlet.send(numbered(1))
      guard case .envelope(let envelope)? = try await inbox.receive(atMost: 1, until: nil).first else {
        Issue.record("nothing came")
        return
      }
      #expect(envelope.rights == rights)
    }
  }

  @Test func `a member's inbox has a key of its own, which its address tells`() async throws {
    let (member, aggregator) = (try shared(known), try TestContext(ZeroMQSettings(curve: curve(server))))
    let inbox = try await member.transport.bind(Address("tcp://127.0.0.1:0"))
    let place = try #require(inbox.address.text.firstIndex(of: "#"))
    let key = try #require(CurveKey(z85: String(inbox.address.text[place...].dropFirst())))
    #expect(![server, known].map(\.publicKey).contains(key))
    let outlet = try await aggregator.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
  }

  @Test func `a client that is not in the list does not`() async throws {
    let (receiver, friend, stranger) = (try shared(server), try shared(known), try shared(unknown))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let rejected = try await stranger.transport.connect(to: inbox.address)
    let sending = Task { try await rejected.send(numbered(666)) }
    #expect(await receiver.log.has("client refused: its key is not among the allowed ones"))
    let accepted = try await friend.transport.connect(to: inbox.address)
    try await accepted.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
    sending.cancel()
    await #expect(throws: CancellationError.self) { try await sending.value }
  }

  /// - Parameter others: What the aggregator has beside the pair `server`, or will have.
  private func curve(
    _ own: CurveKeyPair, others: CurveKeyPair..., allowed: CurveKeyPair...
  ) -> CurveSettings {
    let aggregators = [server] + others
    let members =
      aggregators.map { ($0.publicKey, LaneRights.aggregator) } + allowed.map { ($0.publicKey, .client) }
    return CurveSettings(
      own: own, aggregators: aggregators.map(\.publicKey),
      allowed: Dictionary(members, uniquingKeysWith: { $1 }))
  }

  @Test func `a client that is put on the list comes in, and one that is struck off is cut off`() async throws
  {
    let (receiver, late, early) = (try shared(server), try shared(unknown), try shared(known))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let former = try await early.transport.connect(to: inbox.address)
    try await former.send(numbered(7))
    #expect(try await inbox.numbers(1) == [7])
    let outlet = try await late.transport.connect(to: inbox.address)
    let sending = Task { try await outlet.send(numbered(1)) }
    #expect(await receiver.log.has("client refused: its key is not among the allowed ones"))
    await receiver.transport.secure(with: curve(server, allowed: unknown))
    #expect(try await inbox.numbers(1) == [1])
    try await sending.value
    #expect(
      await early.log.has("the fleet does not accept this key any more; start again with the new one"))
    let waiting = Task { try await former.send(numbered(666)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `a role that waits until a moment wakes then, although its inbox is bound anew meanwhile`()
    async throws
  {
    let receiver = try TestContext(ZeroMQSettings(curve: curve(server, allowed: known)))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let clock = SystemClock()
    let moment = clock.now.advanced(byMilliseconds: 1_500)
    let waiting = Task { try await inbox.receive(atMost: 1, until: moment) }
    let sender = try TestContext(ZeroMQSettings(curve: curve(known)))
    let outlet = try await sender.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await waiting.value.count == 1)
    // It waits for the same moment again, and nothing comes.
    let again = Task { try await inbox.receive(atMost: 1, until: moment) }
    await receiver.transport.secure(with: curve(server))
    #expect(try await again.value.isEmpty)
    #expect(moment.milliseconds(since: clock.now) <= 1, "two clocks that began apart round apart")
  }

  @Test func `refused clients are counted by their public keys`() async throws {
    let (receiver, stranger) = (try shared(server), try shared(unknown))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    #expect(await receiver.transport.refusals == RefusalReport())
    let outlet = try await stranger.transport.connect(to: inbox.address)
    #expect(await receiver.log.has("client refused: its key is not among the allowed ones"))
    await outlet.close()
    let refusals = await receiver.transport.refusals
    #expect(refusals.total >= 1)
    #expect(refusals.latest.map(\.key) == [unknown.publicKey.z85])
    #expect(refusals.latest.map(\.address) == ["127.0.0.1"])
  }

  @Test func `what leads to the aggregator goes on when that changes its keys`() async throws {
    let next = try #require(CurveKeyPair.generate())
    let receiver = try TestContext(ZeroMQSettings(curve: curve(server, allowed: known)))
    let sender = try TestContext(ZeroMQSettings(curve: curve(known, others: next)))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await sender.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
    await receiver.transport.secure(with: curve(next, others: next, allowed: known))
    // What is on its way when a lane is cut may be lost, and is said again.
    let sending = Task {
      while !Task.isCancelled { try await outlet.send(numbered(2)) }
    }
    #expect(try await inbox.numbers(1) == [2])
    sending.cancel()
    _ = await sending.result
  }

  @Test func `a member that changes its keys is heard by those that know both`() async throws {
    let member = unknown
    let receiver = try TestContext(ZeroMQSettings(curve: curve(server, allowed: known, member)))
    let sender = try TestContext(ZeroMQSettings(curve: curve(known)))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await sender.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
    await sender.transport.secure(with: curve(member))
    try await outlet.send(numbered(2))
    #expect(try await inbox.numbers(1) == [2])
  }

  @Test func `a client without keys does not come in, and tries again later`() async throws {
    let receiver = try shared(server)
    let clock = ManualClock()
    let plain = try TestContext(ZeroMQSettings(allowsInsecure: true), laneClock: clock)
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await plain.transport.connect(to: inbox.address)
    let sending = Task { try await outlet.send(numbered(666)) }
    // It may have been broken off a few times before it hears why, and waits then.
    let time = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 5_000)
        await Task.yield()
      }
    }
    #expect(await plain.log.has("receiver refuses the lane"))
    time.cancel()
    sending.cancel()
    await #expect(throws: CancellationError.self) { try await sending.value }
  }

  @Test(arguments: [1, 2])
  func `a member that expects other keys of the aggregator tries a few times, and then waits`(keys: Int)
    async throws
  {
    let receiver = try shared(server)
    let clock = ManualClock()
    let others = try (0..<keys).map { _ in try #require(CurveKeyPair.generate()).publicKey }
    let settings = ZeroMQSettings(curve: CurveSettings(own: known, aggregators: others, allowed: [:]))
    let sender = try TestContext(settings, laneClock: clock)
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await sender.transport.connect(to: inbox.address)
    #expect(await sender.log.has("lane waits, as its receiver breaks it off each time"))
    #expect(outlet.refusal == "it has another key than expected, is stopped, or is no fleet")
    // That it waits is told before the wait begins: one move of the clock could be too early.
    while sender.log.count(of: "lane made anew") == 0, !Task.isCancelled {
      clock.advance(byMilliseconds: 500)
      await Task.yield()
    }
    #expect(await sender.log.has("lane waits, as its receiver breaks it off each time"))
    await outlet.close()
  }

  @Test func `a member cannot stand in for the aggregator`() async throws {
    let (member, sender) = (try shared(known), try shared(known))
    let inbox = try await member.transport.bind(Address("tcp://127.0.0.1:0"))
    let place = Address(String(inbox.address.text.prefix { $0 != "#" }))
    let outlet = try await sender.transport.connect(to: place)
    let sending = Task { try await outlet.send(numbered(666)) }
    let friend = try shared(known)
    let accepted = try await friend.transport.connect(to: inbox.address)
    try await accepted.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
    sending.cancel()
    await #expect(throws: CancellationError.self) { try await sending.value }
  }

  @Test func `with keys an address beyond this machine is allowed`() async throws {
    _ = try await shared(known).transport.connect(to: Address("tcp://203.0.113.9:5555"))
  }

  @Test func `Unix sockets need no keys`() async throws {
    let directory = try TemporaryDirectory()
    let inbox = try await shared(known).transport.bind(Address("ipc://" + directory.file("inbox")))
    let outlet = try await TestContext().transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
  }
}
