package import Pipeline
import Posix

/// Where a fleet is: its address, and the directory of its sockets when it is on this machine.
package struct FleetPlace: Hashable, Sendable {
  package static let socket = "aggregator"

  package private(set) var address: Address
  /// nil for a fleet that is reached over TCP.
  package private(set) var directory: String?

  /// What a user wrote: an address, or a run directory.
  package init(_ text: String) {
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

  package init(runDirectory: String) {
    var path = absolutePath(runDirectory)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.init(address: Address("ipc://\(path)/\(Self.socket)"), directory: path)
  }

  /// It was named by its directory alone.
  package var isRunDirectory: Bool { directory.map { self == FleetPlace(runDirectory: $0) } ?? false }

  /// It is reached over TCP, and only from this machine.
  package var isLoopback: Bool {
    ["tcp://127.", "tcp://localhost:", "tcp://[::1]:"].contains { address.text.hasPrefix($0) }
  }

  /// Its port, when it is reached over TCP at this machine's IPv4 loopback.
  package var loopbackPort: UInt16? {
    guard isLoopback, !address.text.contains("[") else { return nil }
    return address.text.split(separator: ":").last.flatMap { UInt16($0) }
  }

  private init(address: Address, directory: String?) {
    self.address = address
    self.directory = directory
  }

  /// The default run directory: the same for all commands of a user. It outlives a logout, as a fleet in the background and
  /// its ledger do.
  package static func defaultDirectory(_ environment: [String: String]) -> String {
    "\(UserDirectory.state.path(environment) ?? "/tmp/halyard-\(userID)")/fleet"
  }

  /// A further, unused address, for a process of this fleet on this machine.
  package func inbox(_ role: String, _ incarnation: UInt64) -> Address? {
    directory.map { Self.inbox(in: $0, role, incarnation) }
  }

  static func inbox(in directory: String, _ role: String, _ incarnation: UInt64) -> Address {
    // Who cannot list the directory, as a decoder in its sandbox, cannot guess it either.
    let mark = String(incarnation, radix: 36)
    return Address("ipc://\(directory)/\(role)-\(processID)-\(MachineMark.own)-\(mark)")
  }
}
