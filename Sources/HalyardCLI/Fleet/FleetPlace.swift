import Pipeline
import Posix

/// Where a fleet is: its address, and the directory of its sockets when it is on this machine.
struct FleetPlace: Hashable, Sendable {
  static let socket = "aggregator"

  var address: Address
  /// nil for a fleet that is reached over TCP.
  var directory: String?

  /// What a user wrote: an address, or a run directory.
  init(_ text: String) {
    if text.hasPrefix("tcp://") {
      self.init(address: Address(text), directory: nil)
    } else if text.hasPrefix("ipc://") {
      let path = text.dropFirst("ipc://".count)
      let directory = path.lastIndex(of: "/").map { String(path[..<$0]) }
      self.init(address: Address(text), directory: directory)
    } else {
      self.init(runDirectory: text)
    }
  }

  init(runDirectory: String) {
    var path = absolutePath(runDirectory)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.init(address: Address("ipc://\(path)/\(Self.socket)"), directory: path)
  }

  /// It was named by its directory alone.
  var isRunDirectory: Bool { directory.map { self == FleetPlace(runDirectory: $0) } ?? false }

  private init(address: Address, directory: String?) {
    self.address = address
    self.directory = directory
  }

  /// What is wrong with a text that was meant for an address; nil when it can be one, or a directory.
  static func problem(_ text: String) -> String? {
    guard !text.hasPrefix("tcp://"), !text.hasPrefix("ipc://") else { return nil }
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let isScheme = !scheme.isEmpty && text.dropFirst(scheme.count).hasPrefix(":/") || text.hasPrefix("tcp:")
    let port = text.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last ?? ""
    let isHostAndPort = !text.contains("/") && !port.isEmpty && port.allSatisfy(\.isNumber)
    guard isScheme || isHostAndPort else { return nil }
    return
      "'\(Printable.text(text))' is neither tcp://HOST:PORT nor ipc://PATH; for a directory write ./\(Printable.text(text))"
  }

  /// The default run directory: the same for all commands of a user.
  static func usualDirectory(_ environment: [String: String]) -> String {
    let base = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    return "\(base)/halyard-\(userID)/fleet"
  }

  /// The run directory that a command's option names, else the default one.
  static func directory(of arguments: ParsedArguments, _ environment: [String: String]) -> String {
    let place = FleetPlace(runDirectory: arguments[FleetOption.runDirectory] ?? usualDirectory(environment))
    return place.directory ?? "/"
  }

  /// A further, unused address, for a process of this fleet on this machine.
  func inbox(_ role: String, _ incarnation: UInt64) -> Address? {
    directory.map { directory in
      let mark = String(incarnation & 0xFFFF_FFFF, radix: 16)
      return Address("ipc://\(directory)/\(role)-\(processID)-\(mark)")
    }
  }
}

extension ParsedArguments {
  /// The fleet that an option names.
  func place(_ option: TypedOption<String?>) throws(UsageError) -> FleetPlace? {
    guard let text = self[option] else { return nil }
    if let problem = FleetPlace.problem(text) { throw rejection(of: option, problem) }
    return FleetPlace(text)
  }
}
