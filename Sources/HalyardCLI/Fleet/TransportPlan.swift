import ClockPosix
import Pipeline
import Posix
import TransportZeroMQ
import ZeroMQ

/// How a process's lanes are secured, decided before any socket exists.
struct TransportPlan: Sendable {
  private(set) var settings = ZeroMQSettings()

  /// Reads the key files.
  init(_ arguments: ParsedArguments) throws {
    settings.allowsInsecure = arguments[FleetOption.insecure]
    settings.advertisedHost = hostName
    guard let path = arguments[FleetOption.key] else {
      guard arguments[FleetOption.allowKeys] == nil else {
        throw arguments.rejection(of: FleetOption.allowKeys, "only with --key")
      }
      return
    }
    let keys = try KeyFile.read(path)
    let allowed = try arguments[FleetOption.allowKeys].map(KeyFile.readAllowed) ?? [keys.member.publicKey]
    settings.curve = CurveSettings(server: keys.fleet, client: keys.member, allowed: allowed)
  }

  func make(clock: SystemClock, log: any Log) throws -> any Transport {
    try ZeroMQTransport(settings, clock: clock, log: log)
  }
}
