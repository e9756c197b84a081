import Assembly
import Pipeline
import Posix
import TransportZeroMQ
import ZeroMQ

/// How a process's lanes are secured, decided before any socket exists.
struct TransportPlan: Sendable {
  private(set) var settings = ZeroMQSettings()

  init(_ arguments: ParsedArguments) throws {
    let role = KeyRole(of: arguments.command)
    settings.allowsInsecure = arguments[FleetOption.insecure]
    settings.advertisedHost = hostName
    guard let path = arguments[FleetOption.key] else {
      for option in [FleetOption.allowKeys, FleetOption.alsoKey] {
        try arguments.require(!arguments.isSet(option), of: option, "only with --key")
      }
      return
    }
    // The other files are there only while a fleet changes its keys.
    func files(of role: KeyRole) throws -> [KeyFile] {
      let other = arguments[FleetOption.alsoKey].flatMap {
        fileExists(KeyFile.path(of: role, at: $0)) ? $0 : nil
      }
      return try [path, other].compactMap(\.self).map { try KeyFile.read($0, for: role) }
    }
    // The workers of `up` read their own.
    if arguments.command == CommandTable.up { for role in KeyRole.allCases { _ = try files(of: role) } }
    let files = try files(of: role)
    let aggregators = files.flatMap { $0.members.keys(of: .aggregator) }
    var allowed = MemberKeys()
    for key in aggregators { allowed.add(key, as: .aggregator) }
    let lists = try arguments[FleetOption.allowKeys].map { [try MemberKeys.read($0)] } ?? files.map(\.members)
    settings.curve = CurveSettings(
      own: files[0].own, aggregators: aggregators,
      allowed: lists.reduce(allowed.rights) { $0.merging($1.rights) { $0.union($1) } })
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
