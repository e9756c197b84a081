import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportZeroMQ
import ZeroMQ

/// TCP with keys: both ends prove who they are, and nobody else comes in.
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

  private func shared(_ client: CurveKeyPair, receivers: CurveKey? = nil) throws -> TestContext {
    let curve = CurveSettings(
      server: server, client: client, receivers: receivers, allowed: [known.publicKey])
    return try TestContext(ZeroMQSettings(curve: curve))
  }

  @Test func `a client in the list comes in`() async throws {
    let (receiver, sender) = (try shared(known), try shared(known))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await sender.transport.connect(to: inbox.address)
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
  }

  @Test func `a client that is not in the list does not`() async throws {
    let (receiver, friend, stranger) = (try shared(known), try shared(known), try shared(unknown))
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

  @Test func `a client that is put on the list comes in, and one that is struck off does not`() async throws {
    let (receiver, late, early) = (try shared(known), try shared(unknown), try shared(known))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await late.transport.connect(to: inbox.address)
    let sending = Task { try await outlet.send(numbered(1)) }
    #expect(await receiver.log.has("client refused: its key is not among the allowed ones"))
    await receiver.transport.allow([unknown.publicKey])
    #expect(try await inbox.numbers(1) == [1])
    try await sending.value
    let refused = try await early.transport.connect(to: inbox.address)
    let waiting = Task { try await refused.send(numbered(666)) }
    #expect(await early.log.has("receiver refuses the lane"))
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
  }

  @Test func `a client without keys does not come in, and tries again later`() async throws {
    let receiver = try shared(known)
    let clock = ManualClock()
    let plain = try TestContext(ZeroMQSettings(allowsInsecure: true), laneClock: clock)
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await plain.transport.connect(to: inbox.address)
    let sending = Task { try await outlet.send(numbered(666)) }
    #expect(await plain.log.has("receiver refuses the lane"))
    sending.cancel()
    await #expect(throws: CancellationError.self) { try await sending.value }
  }

  @Test func `a receiver with another key than expected gets nothing`() async throws {
    let (receiver, sender) = (try shared(known), try shared(known, receivers: unknown.publicKey))
    let inbox = try await receiver.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await sender.transport.connect(to: inbox.address)
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
