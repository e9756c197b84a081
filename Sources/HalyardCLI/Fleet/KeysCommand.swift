import Posix
import ZeroMQ

struct KeysCommand {
  private let path: String
  private let fleetOf: String?
  private let role: KeyRole?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let path = arguments[FleetOption.keyFile], !path.isEmpty else {
      throw UsageError(
        "no directory for the keys given", usage: arguments.command.usage, next: "halyard keys -o fleet-keys")
    }
    self.path = path
    fleetOf = arguments[FleetOption.keysOf]
    role = arguments[FleetOption.keyRole]
    guard (fleetOf == nil) == (role == nil) else {
      throw UsageError(
        "\(FleetOption.keysOf.flag) and \(FleetOption.keyRole.flag) belong together",
        usage: arguments.command.usage,
        next: "halyard keys --fleet-of fleet-keys --role fetcher -o rack-7.key")
    }
  }

  /// - Returns: What belongs into the list of allowed keys.
  func make() throws -> String {
    guard let fleetOf, let role else { return try makeFleet() }
    return try makeMember(role, of: try KeyFile.read(fleetOf, for: .aggregator).members)
  }

  private func makeFleet() throws -> String {
    let pairs = try KeyRole.allCases.map { (role: $0, pair: try Self.newPair()) }
    var members = MemberKeys()
    for (role, pair) in pairs { members.add(pair.publicKey, as: role) }
    guard !fileExists(path) else { throw OutputError.failed(path, "File exists" + Self.remedy) }
    try named(path) { try makePrivateDirectory(path: FilePlace(path).path) }
    for (role, pair) in pairs {
      try write(KeyFile(own: pair, members: members), to: KeyFile.file(of: role, in: path))
    }
    return members.text(of: KeyRole.members)
  }

  private func makeMember(_ role: KeyRole, of fleet: MemberKeys) throws -> String {
    let pair = try Self.newPair()
    var (members, own) = (fleet, MemberKeys())
    members.add(pair.publicKey, as: role)
    own.add(pair.publicKey, as: role)
    try write(KeyFile(own: pair, members: members), to: path)
    return own.text()
  }

  private func write(_ keys: KeyFile, to path: String) throws {
    try named(path) { try FilePlace(path).creatingSecret().writeAll(Array(keys.text.utf8)) }
  }

  /// Errors about a file have its name.
  private func named(_ path: String, _ make: () throws -> Void) throws {
    do {
      try make()
    } catch let error as DistrustedPath {
      throw OutputError.failed(path, error.words)
    } catch let error as PosixError {
      throw OutputError.failed(path, error.message + (error.isFileThere ? Self.remedy : ""))
    }
  }

  private static let remedy = "; give another name, or delete this one when no member needs it"

  private static func newPair() throws -> CurveKeyPair {
    guard let pair = CurveKeyPair.generate() else {
      throw OutputError.failed("keys", "this machine's ZeroMQ was built without encryption")
    }
    return pair
  }
}
