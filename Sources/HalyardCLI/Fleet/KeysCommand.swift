import Posix
import ZeroMQ

struct KeysCommand {
  private let path: String
  private let fleetOf: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    guard let path = arguments[FleetOption.keyFile], !path.isEmpty else {
      throw UsageError(
        "no file for the keys given", usage: arguments.command.usage, next: "halyard keys -o fleet.key")
    }
    self.path = path
    fleetOf = arguments[FleetOption.keysOf]
  }

  func run() throws -> ExitCode {
    let fleet = try fleetOf.map { try KeyFile.read($0).fleet } ?? Self.newPair()
    let keys = KeyFile(fleet: fleet, member: try Self.newPair())
    do {
      try Descriptor.creatingSecret(path: path).writeAll(Array(keys.text.utf8))
    } catch {
      let remedy = error.isFileThere ? "; give another file, or delete this one when no member needs it" : ""
      throw OutputError.failed(path, "\(error.message)\(remedy)")
    }
    try DescriptorSink().write(Array("\(keys.member.publicKey.z85)\n".utf8))
    return .ok
  }

  private static func newPair() throws -> CurveKeyPair {
    guard let pair = CurveKeyPair.generate() else {
      throw OutputError.failed("keys", "this machine's ZeroMQ was built without encryption")
    }
    return pair
  }
}
