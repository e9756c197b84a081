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
      for option in [FleetOption.allowKeys, FleetOption.alsoKey] where arguments[option] != nil {
        throw arguments.rejection(of: option, "only with --key")
      }
      return
    }
    let keys = try KeyFile.read(path)
    // A file that is there only while a fleet changes its keys.
    let other = try arguments[FleetOption.alsoKey].flatMap { fileExists($0) ? try KeyFile.read($0) : nil }
    let own = [keys.member.publicKey] + (other.map { [$0.member.publicKey] } ?? [])
    let allowed = try arguments[FleetOption.allowKeys].map(KeyFile.readAllowed) ?? Set(own)
    var curve = CurveSettings(server: keys.fleet, client: keys.member, allowed: allowed)
    curve.otherReceivers = other?.fleet.publicKey
    settings.curve = curve
  }

  /// nil without keys, so that TCP is not encrypted.
  var curve: CurveSettings? { settings.curve }

  /// - Parameters:
  ///   - fittings: What a test has changed.
  ///   - startThreads: Starts libzmq's threads; nil when the first socket may.
  func make(
    clock: SystemClock, log: any Log, fittings: WorkerFittings = WorkerFittings(),
    startThreads: ((Context) throws -> Void)? = nil
  ) throws -> ZeroMQTransport {
    var settings = settings
    settings.frames = fittings.frames
    return try ZeroMQTransport(settings, clock: clock, log: log, startThreads: startThreads)
  }
}
