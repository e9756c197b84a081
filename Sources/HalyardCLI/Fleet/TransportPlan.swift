import ClockPosix
import Pipeline
import Posix
import TransportZeroMQ
import ZeroMQ

/// How a process's lanes are secured, decided before any socket exists.
struct TransportPlan: Sendable {
  private(set) var settings = ZeroMQSettings()

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

  /// Who is let in over TCP; nil without keys.
  var allowed: Set<CurveKey>? { settings.curve?.allowed }

  /// Whether both have the same keys of their own.
  func hasKeys(of other: TransportPlan) -> Bool {
    settings.curve?.server == other.settings.curve?.server
      && settings.curve?.client == other.settings.curve?.client
  }

  /// - Parameter startThreads: Starts libzmq's threads; nil when the first socket may.
  func make(
    clock: SystemClock, log: any Log, startThreads: ((Context) throws -> Void)? = nil
  ) throws -> ZeroMQTransport {
    try ZeroMQTransport(settings, clock: clock, log: log, startThreads: startThreads)
  }
}
