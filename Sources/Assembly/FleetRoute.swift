package import Pipeline
package import Posix

/// How a process reaches a fleet: where that is, and where its answers come.
package struct FleetRoute: Hashable, Sendable {
  /// Answers from another machine need an address of this one.
  package struct NeedsOwnAddress: Error {}

  package let place: FleetPlace
  /// Where the answers come. Beside the fleet's socket it is named after this process, so that a fleet sweeps it up behind a
  /// process that was killed.
  package let inbox: Address

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
}
