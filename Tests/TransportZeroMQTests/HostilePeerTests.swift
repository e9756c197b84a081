import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportZeroMQ
import ZeroMQ

/// Peers that send what is no message, or nothing at all.
@Suite(.timeLimit(.minutes(10)))
struct HostilePeerTests {
  private let shared: TestContext

  init() throws {
    shared = try TestContext(ZeroMQSettings(allowsInsecure: true))
  }

  /// A sender that is bound to no rules.
  private struct RawSender: ~Copyable {
    let socket: Socket

    init(to address: Address) throws {
      let socket = try Socket(.push, in: Context(mostSockets: 16))
      try socket.set(.linger(5_000))
      try socket.connect(address.text)
      self.socket = socket
    }

    /// Every part but the last one belongs to the same message as the next.
    func send(_ parts: [UInt8]...) throws {
      for (index, part) in parts.enumerated() {
        let isSent = try socket.send(part, hasMore: index < parts.count - 1)
        #expect(isSent)
      }
    }
  }

  private func lane() async throws -> (inbox: any Inbox, outlet: any Outlet, port: UInt16) {
    let inbox = try await shared.transport.bind(Address("tcp://127.0.0.1:0"))
    let port = try #require(inbox.address.text.split(separator: ":").last.flatMap { UInt16($0) })
    return (inbox, try await shared.transport.connect(to: inbox.address), port)
  }

  @Test(arguments: [false, true])
  func `idle connections of one address are few, and a member comes in beside them`(withKeys: Bool)
    async throws
  {
    var settings = ZeroMQSettings(allowsInsecure: true)
    if withKeys {
      let pair = try #require(CurveKeyPair.generate())
      settings.curve = CurveSettings(
        own: pair, aggregators: [pair.publicKey], allowed: [pair.publicKey: .all])
    }
    let shared = try TestContext(settings)
    let inbox = try await shared.transport.bind(Address("tcp://127.0.0.1:0"))
    let port = try #require(inbox.address.text.split(separator: ":").last.flatMap { UInt16($0) })
    let members = try await [
      shared.transport.connect(to: inbox.address), shared.transport.connect(to: inbox.address),
    ]
    try await members[0].send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
    let idle = try (0..<300).map { _ in
      let socket = try StreamSocket.connect(port: port)
      // The library may have closed it by now.
      if withKeys { try? socket.write(Self.endlessHandshake) }
      return socket
    }
    try await BlockingWorker(name: "idle").run {
      for socket in idle.prefix(300 - 64) { try Self.readToEnd(socket) }
    }
    try await members[1].send(numbered(2))
    #expect(try await inbox.numbers(1) == [2])
    try await members[0].send(numbered(3))
    #expect(try await inbox.numbers(1) == [3])
    await inbox.close()
  }

  /// A greeting, and the beginning of a large command that never ends.
  private static let endlessHandshake =
    [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 1] + Array("CURVE".utf8) + [UInt8](repeating: 0, count: 47)
    + [6, 0, 0, 0, 0, 0, 0, 4, 0] + [UInt8](repeating: 0xAA, count: 600)

  /// Reads until the peer has closed it, which the time for a handshake would do after five seconds.
  private static func readToEnd(_ socket: StreamSocket) throws {
    while try !socket.read(milliseconds: 3_000).isEmpty {}
  }

  @Test func `frames that are no messages are dropped, and those between them arrive`() async throws {
    let (inbox, _, _) = try await lane()
    let raw = try RawSender(to: inbox.address)
    let good = try numbered(1, 2, 3).map { try EnvelopeCodec.encode($0) }
    try raw.send([])
    try raw.send(Array("GET / HTTP/1.1".utf8))
    try raw.send(good[0])
    try raw.send(Array(good[0].dropLast()))
    try raw.send(good[1] + [0])
    // A message of several parts is none of ours, even if each part is.
    try raw.send(good[0], good[1], good[2])
    try raw.send(good[1])
    try raw.send([UInt8](repeating: 0xFF, count: 100_000))
    try raw.send(good[2])
    #expect(try await inbox.numbers(3) == [1, 2, 3])
  }

  @Test func `more refused frames than a burst holds do not end the wait`() async throws {
    let (inbox, _, _) = try await lane()
    let raw = try RawSender(to: inbox.address)
    for _ in 0..<900 { try raw.send([1, 2, 3]) }
    try raw.send(try EnvelopeCodec.encode(numbered(1)[0]))
    #expect(try await inbox.numbers(1) == [1])
  }

  @Test func `a frame larger than any message cuts its own connection only`() async throws {
    let (inbox, outlet, _) = try await lane()
    let raw = try RawSender(to: inbox.address)
    try raw.send([UInt8](repeating: 7, count: EnvelopeCodec.largestFrame + 1))
    try await outlet.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
  }

  @Test func `connections that speak something else, or nothing, do not disturb`() async throws {
    let (inbox, outlet, port) = try await lane()
    var connections: [StreamSocket] = []
    for number in 0..<60 {
      let connection = try StreamSocket.connect(port: port)
      switch number % 3 {
      case 0: break
      case 1: try? connection.write(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
      // The greeting of the protocol, and then nonsense.
      default:
        try? connection.write(
          [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0] + [UInt8](repeating: 0xAA, count: 300))
      }
      connections.append(connection)
      try await outlet.send(numbered(UInt64(number)))
    }
    #expect(try await inbox.numbers(60) == Array(0..<60))
    withExtendedLifetime(connections) {}
  }

  private static func large(_ bytes: Int) -> Message {
    let json = [UInt8](repeating: 0x20, count: bytes)
    let row = NumberedRow(number: 1, ordinal: 0, failure: nil, json: json)
    return .answer(.rows(of: BatchID(UUIDv7(high: 1, low: 1)), after: 0, [row]))
  }

  @Test func `an inbox that nobody reads keeps what it has room for, and small messages longest`()
    async throws
  {
    var settings = ZeroMQSettings(allowsInsecure: true)
    settings.inboxBytes = 8 << 20
    let shared = try TestContext(settings)
    let inbox = try await shared.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await shared.transport.connect(to: inbox.address)
    let large = Self.large(1 << 20)
    try await outlet.send((1...100).map { Envelope(large, laneSequence: $0) })
    try await outlet.send(numbered(101, 102))
    // Told at the first one that is dropped, and at the 2nd, 4th, … 64th.
    for _ in 0...6 {
      #expect(
        await shared.log.has("the inbox is full: dropping messages that a peer sends without credit"))
    }
    var numbers: [UInt64] = []
    while numbers.last != 102 {
      numbers += try await inbox.receive(atMost: 1_000, until: nil).envelopes.map(\.laneSequence)
    }
    #expect(Array(numbers.suffix(2)) == [101, 102])
    #expect(numbers.count <= 102 - 64)
  }

  @Test func `a role takes no more bytes at once than it has room for, whatever waits`() async throws {
    var settings = ZeroMQSettings(allowsInsecure: true)
    // For all of them, so that none is dropped however late they are taken.
    settings.inboxBytes = 256 << 20
    let shared = try TestContext(settings)
    let inbox = try await shared.transport.bind(Address("tcp://127.0.0.1:0"))
    let outlet = try await shared.transport.connect(to: inbox.address)
    let large = Self.large(12 << 20)
    async let sent: Void = outlet.send((1...8).map { Envelope(large, laneSequence: $0) })
    var (numbers, most) = ([UInt64](), 0)
    while numbers.count < 8 {
      let burst = try await inbox.receive(atMost: 1_000, until: nil).envelopes
      most = max(most, burst.count)
      numbers += burst.map(\.laneSequence)
    }
    try await sent
    #expect(numbers == Array(1...8))
    #expect(most <= 3, "\(most) messages of 12 MiB at once")
  }
}
