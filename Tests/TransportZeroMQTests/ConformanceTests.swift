import Assembly
import Pipeline
import PipelineTesting
import Posix
import Testing
import TransportZeroMQ

/// What every message shared keeps, over both kinds of sockets. One rule after another: they keep the machine busy.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct ConformanceTests {
  private func fixture(_ address: @escaping @Sendable (String) -> Address) throws -> TransportFixture {
    let clock = ManualClock()
    var settings = ZeroMQSettings(allowsInsecure: true)
    settings.highWaterMark = 16
    settings.kernelBufferBytes = 65_536
    let transport = try ZeroMQTransport(settings, clock: clock, laneClock: SystemClock())
    return TransportFixture(transport, clock: clock, roomOfALane: 8_000, address: address)
  }

  @Test(arguments: TransportSuite.rules)
  func `Unix sockets keep the rules of the port`(rule: PortRule<TransportFixture>) async throws {
    let directory = try TemporaryDirectory()
    try await rule.prove(on: fixture { Address("ipc://\(directory.file($0))") })
  }

  @Test(arguments: TransportSuite.rules)
  func `TCP keeps the rules of the port`(rule: PortRule<TransportFixture>) async throws {
    let ports = Lock<[String: UInt16]>([:])
    let fixture = try fixture { name in
      let port = ports.withLock { ports in
        ports[name] = ports[name] ?? LoopbackPort.next()
        return ports[name] ?? 0
      }
      return Address("tcp://127.0.0.1:\(port)")
    }
    try await rule.prove(on: fixture)
  }
}
