import Assembly
import Pipeline
import Posix
import Roles

/// Which worker a process is, where it is reached, and whom it works for.
struct WorkerPlan: Sendable {
  let role: Role
  let place: FleetPlace
  let bind: Address
  let locality: String
  /// The directory of its sockets, which is created if it is missing.
  let directory: String
  private let start = Moment(unixMilliseconds: SystemTime.unixMilliseconds)

  init(_ arguments: ParsedArguments, role: Role) throws(UsageError) {
    self.role = role
    directory = arguments.runDirectory
    let own = FleetPlace(runDirectory: directory)
    place = arguments[role == .aggregator ? FleetOption.listen : FleetOption.fleet] ?? own
    locality = arguments[FleetOption.locality] ?? hostName
    if role == .aggregator {
      bind = place.address
    } else if let address = arguments[FleetOption.bind] {
      bind = Address(address)
    } else if let inbox = place.inbox(role.name, .random(in: .min ... .max)) {
      bind = inbox
    } else {
      throw UsageError(
        "a worker of the fleet at \(place.address) needs an address of its own: --bind tcp://OWN-ADDRESS:0",
        command: arguments.command)
    }
  }

  func identity(_ secret: LaneSecret) -> WorkerIdentity {
    WorkerIdentity(at: start, secret: secret, locality: locality, aggregator: place.address)
  }
}
