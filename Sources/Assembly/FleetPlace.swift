package import Pipeline
package import Posix

/// Where a fleet is: its address, and the directory of its sockets when it is on this machine.
package struct FleetPlace: Hashable, Sendable {
  package static let socket = "aggregator"

  package let address: Address
  /// nil for a fleet that is reached over TCP.
  package let directory: String?
}

extension FleetPlace {
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
    let host = address.text.dropFirst("tcp://".count).prefix { $0 != ":" }
    // Not a name that only begins like a number.
    if host.hasPrefix("127.") { return host.allSatisfy { $0 == "." || $0.isWholeNumber } }
    return ["tcp://localhost:", "tcp://[::1]:"].contains { address.text.hasPrefix($0) }
  }

  /// Its port, when it is reached over TCP at this machine's IPv4 loopback.
  package var loopbackPort: UInt16? {
    guard isLoopback, !address.text.contains("[") else { return nil }
    return address.text.split(separator: ":").last.flatMap { UInt16($0) }
  }

  /// Of its machine, when it is reached over TCP by a name and not by an IP address.
  package var hostName: String? {
    guard address.text.hasPrefix("tcp://"), !address.text.contains("[") else { return nil }
    let host = address.text.dropFirst("tcp://".count).prefix { $0 != ":" }
    return host.allSatisfy { $0 == "." || $0.isWholeNumber } ? nil : String(host)
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

/// How a process reaches a fleet: where that is, and where its answers come.
package struct FleetRoute: Hashable, Sendable {
  /// Answers from another machine need an address of this one.
  package struct NeedsOwnAddress: Error {}

  package let place: FleetPlace
  /// Where the answers come. Beside the fleet's socket it is named after this process, so that a fleet sweeps it up behind a
  /// process that was killed.
  package private(set) var inbox: Address

  /// - Parameters:
  ///   - named: Where the fleet is said to be. A fleet with a run directory that listens elsewhere is found by its note there;
  ///     nothing is read before the directory is checked.
  ///   - own: Where the answers are to come; nil to find a place.
  package init(to named: FleetPlace, answersAt own: Address? = nil) throws {
    let noted = try named.isRunDirectory ? named.directory.flatMap(Self.noted) : nil
    place = noted ?? named
    inbox = try own ?? Self.inbox(for: place, isHere: noted != nil)
  }

  private static func noted(in directory: String) throws(DistrustedPath) -> FleetPlace? {
    guard isDirectory(directory) else { return nil }
    return try RunDirectory(checking: directory).place()
  }

  private static func inbox(for place: FleetPlace, isHere: Bool) throws(NeedsOwnAddress) -> Address {
    if let own = place.inbox("client", .random(in: .min ... .max)) { return own }
    let address = place.address.text
    if address.hasPrefix("tcp://[::1]:") { return Address("tcp://[::1]:0") }
    guard isHere || address.hasPrefix("tcp://127.") || address.hasPrefix("tcp://localhost") else {
      throw NeedsOwnAddress()
    }
    return Address("tcp://127.0.0.1:0")
  }

  /// Finds that another user could change the directory of the fleet's sockets.
  package func check() throws(DistrustedPath) {
    if let directory = place.directory { _ = try RunDirectory(checking: directory) }
  }

  /// The same, with a place for the answers elsewhere on this machine when the fleet's directory has no room for one: a full
  /// disk must not keep those away who make room.
  ///
  /// - Parameter environment: Names the user's runtime directory.
  package func withRoom(_ environment: [String: String] = environmentVariables()) -> FleetRoute {
    guard let directory = place.directory, inbox.text.hasPrefix("ipc://\(directory)/"),
      !Self.hasRoom(directory)
    else { return self }
    let user = ["/run/user/\(userID)", "/run", "/dev/shm", "/tmp"]
    let bases = (environment["XDG_RUNTIME_DIR"].map { [$0] } ?? []) + user
    for base in bases where base.hasPrefix("/") && isDirectory(base) {
      guard let other = try? RunDirectory(making: "\(base)/halyard-\(userID)").safe.path, Self.hasRoom(other)
      else { continue }
      let address = FleetPlace.inbox(in: other, "client", .random(in: .min ... .max))
      guard address.text.utf8.count <= "ipc://".utf8.count + Self.longestPath else { continue }
      RunDirectory.sweep(other)
      var route = self
      route.inbox = address
      return route
    }
    return self
  }

  /// Of a socket, with the zero behind it.
  private static let longestPath = 106

  /// Whether a file with a line in it can be made there. File systems count room in so many ways that only trying tells.
  private static func hasRoom(_ directory: String) -> Bool {
    let inbox = FleetPlace.inbox(in: directory, "client", .random(in: .min ... .max)).text
    let file = "\(inbox.dropFirst("ipc://".count))-room"
    defer { _ = removeFile(path: file) }
    do throws(PosixError) {
      try Descriptor.creatingSecret(path: file).writeAll([0x0A])
      return true
    } catch {
      return !error.isNoRoom
    }
  }
}
