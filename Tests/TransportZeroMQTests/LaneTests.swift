import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportZeroMQ

/// Takes every lane that comes, as a PULL socket does, and is heard no more.
private final class SilentReceiver: Sendable {
  private let connections = Lock<[StreamSocket]>([])
  private let stopping: StopSignal
  let port: UInt16

  init() throws {
    let (listener, stopping) = (try Listener(), try StopSignal())
    (self.port, self.stopping) = (listener.port, stopping)
    _ = try Thread.start(name: "silent receiver") { [connections] in
      while let connection = try? listener.accept(unless: stopping) {
        try? connection.write(Self.greeting)
        // It stays open all the while.
        connections.withLock { $0.append(connection) }
      }
    }
  }

  deinit { stopping.raise() }

  private static let greeting: [UInt8] = {
    let version: [UInt8] = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0]
    let mechanism = Array("NULL".utf8) + [UInt8](repeating: 0, count: 48)
    let socketType = [11] + Array("Socket-Type".utf8) + [0, 0, 0, 4] + Array("PULL".utf8)
    let ready = [5] + Array("READY".utf8) + socketType
    return version + mechanism + [4, UInt8(ready.count)] + ready
  }()
}

/// Lanes that break, and come back.
@Suite(.timeLimit(.minutes(10)))
struct LaneTests {
  @Test func `a killed receiver is noticed, and its path can be bound again`() async throws {
    let directory = try TemporaryDirectory()
    let (path, shared) = (directory.file("victim"), try TestContext())
    let own = try await shared.transport.bind(Address("ipc://" + directory.file("own")))
    let address = Address("ipc://" + path)
    async let death: Void = receiveOneAndDie(at: path)
    let outlet = try await shared.transport.connect(to: address, notifying: own)
    #expect(try await own.notice() == LaneNotice(address: address, isUp: true))
    try await outlet.send(numbered(1))
    #expect(try await own.notice() == LaneNotice(address: address, isUp: false))
    await death
    let heir = try await shared.transport.bind(address)
    #expect(try await own.notice() == LaneNotice(address: address, isUp: true))
    try await outlet.send(numbered(2))
    #expect(try await heir.numbers(1) == [2])
  }

  /// A process that is killed by the first message it gets.
  private func receiveOneAndDie(at path: String) async {
    await #expect(processExitsWith: .signal(9)) { [path = path as String] in
      let shared = try TestContext()
      let inbox = try await shared.transport.bind(Address("ipc://" + path))
      _ = try await inbox.numbers(1)
      raiseSignal(9)
    }
  }

  @Test func `an inbox whose path is removed has it again, and the lanes that are up stay`() async throws {
    let (directory, clock) = (try TemporaryDirectory(), ManualClock())
    let (path, shared) = (directory.file("swept"), try TestContext(laneClock: clock))
    let address = Address("ipc://" + path)
    let inbox = try await shared.transport.bind(address)
    let earlier = try await shared.transport.connect(to: address)
    try await earlier.send(numbered(1))
    #expect(try await inbox.numbers(1) == [1])
    #expect(removeFile(path: path) && removeFile(path: path + ".lock"))
    clock.advance(byMilliseconds: 2_000)
    let burst = try await inbox.receive(atMost: 1, until: Moment(unixMilliseconds: 0))
    #expect(burst.isEmpty && shared.log.count(of: "a socket was removed") == 1)
    #expect(try FileClaim.holder(path: path + ".lock") == processID)
    let later = try await shared.transport.connect(to: address)
    try await later.send(numbered(2))
    #expect(try await inbox.numbers(1) == [2])
    try await earlier.send(numbered(3))
    #expect(try await inbox.numbers(1) == [3])
    await inbox.close()
    #expect(!fileExists(path))
  }

  @Test func `messages wait for a receiver that is not there yet`() async throws {
    let directory = try TemporaryDirectory()
    let (address, shared) = (Address("ipc://" + directory.file("late")), try TestContext())
    let outlet = try await shared.transport.connect(to: address)
    async let sent: Void = outlet.send(numbered(1, 2, 3))
    let inbox = try await shared.transport.bind(address)
    #expect(try await inbox.numbers(3) == [1, 2, 3])
    try await sent
  }

  @Test func `closing a lane ends the wait of its sender`() async throws {
    let address = Address("tcp://127.0.0.1:\(LoopbackPort.next())")
    let shared = try TestContext(ZeroMQSettings(allowsInsecure: true))
    let outlet = try await shared.transport.connect(to: address)
    let senders = (0..<3).map { _ in Task { try await outlet.send(numbered(1)) } }
    for _ in 0..<50 { await Task.yield() }
    await outlet.close()
    for sender in senders {
      await #expect(throws: TransportError.closed(address)) { try await sender.value }
    }
  }

  @Test func `a lane that is mute although its receiver is heard is made anew`() async throws {
    let (deaf, directory) = (try SilentReceiver(), try TemporaryDirectory())
    let clock = ManualClock()
    var settings = ZeroMQSettings(allowsInsecure: true)
    (settings.highWaterMark, settings.kernelBufferBytes, settings.longestSilence) = (1, 4_096, nil)
    let shared = try TestContext(settings, laneClock: clock)
    let own = try await shared.transport.bind(Address("ipc://" + directory.file("own")))
    let outlet = try await shared.transport.connect(
      to: Address("tcp://127.0.0.1:\(deaf.port)"), notifying: own)
    #expect(try await own.notice()?.isUp == true)
    let sender = Task {
      while true { try await outlet.send(numbered(1)) }
    }
    let time = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 5_000)
        outlet.receiverSpoke()
        await Task.yield()
      }
    }
    #expect(await shared.log.has("lane made anew"))
    time.cancel()
    #expect(try await own.notice()?.isUp == false)
    sender.cancel()
    await #expect(throws: CancellationError.self) { try await sender.value }
    withExtendedLifetime(deaf) {}
  }

  @Test func `a sender that is cancelled while nobody is there stops waiting`() async throws {
    let (directory, shared) = (try TemporaryDirectory(), try TestContext())
    let address = Address("ipc://" + directory.file("late"))
    let outlet = try await shared.transport.connect(to: address)
    let sender = Task { try await outlet.send(numbered(1)) }
    for _ in 0..<50 { await Task.yield() }
    sender.cancel()
    await #expect(throws: CancellationError.self) { try await sender.value }
    let inbox = try await shared.transport.bind(address)
    try await outlet.send(numbered(2))
    #expect(try await inbox.numbers(1) == [2])
  }

  @Test func `a lane whose peer falls silent is cut, and comes up with the next`() async throws {
    let (silent, directory) = (try SilentReceiver(), try TemporaryDirectory())
    var settings = ZeroMQSettings(allowsInsecure: true)
    settings.longestSilence = 2_000
    let shared = try TestContext(settings)
    let own = try await shared.transport.bind(Address("ipc://" + directory.file("own")))
    let address = Address("tcp://127.0.0.1:\(silent.port)")
    let outlet = try await shared.transport.connect(to: address, notifying: own)
    for _ in 1...2 {
      // On a busy machine nobody may look while it is up; it cannot go down without having been.
      while try await own.notice() != LaneNotice(address: address, isUp: false) {}
    }
    withExtendedLifetime((outlet, silent)) {}
  }

  @Test func `a lane that was refused tries again after a while`() async throws {
    let clock = ManualClock()
    // The protocol's greeting, with a mechanism that the lane does not have; on every connection, however many it takes.
    let greeting = [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0] + Array("PLAIN".utf8)
    let impostor = RawServer { peer in
      _ = peer.send(greeting + [UInt8](repeating: 0, count: 64 - greeting.count)) && peer.awaitHangUp()
    }
    defer { impostor.stop() }
    let shared = try TestContext(ZeroMQSettings(allowsInsecure: true), laneClock: clock)
    let outlet = try await shared.transport.connect(to: Address("tcp://127.0.0.1:\(impostor.port)"))
    #expect(await shared.log.has("receiver refuses the lane"))
    let before = impostor.connectionCount
    /// Lets time pass all the while: what is told is told before the pause that follows begins.
    func isMadeAnew(times: Int) async {
      while shared.log.count(of: "lane made anew") < times, !Task.isCancelled {
        clock.advance(byMilliseconds: 5_000)
        await Task.yield()
      }
    }
    await isMadeAnew(times: 1)
    // The library itself never tries such a lane again.
    while impostor.connectionCount == before, !Task.isCancelled { await Task.yield() }
    #expect(impostor.connectionCount > before)
    await isMadeAnew(times: 2)
    #expect(shared.log.count(of: "receiver refuses the lane") == 1, "told once")
    withExtendedLifetime(outlet) {}
  }
}
