internal import Assembly
internal import ClockPosix
internal import Pipeline
internal import Roles
internal import TransportZeroMQ

/// The processes of a fleet.
struct FleetBackend: Backend {
  private let name: String
  private let settings: FleetSettings
  /// Jobs to begin with; a fleet has more fetchers than one.
  private static let jobsAtStart = 2_048

  /// - Parameter name: The fleet's run directory or address.
  init(_ name: String, _ settings: FleetSettings) throws(HalyardError) {
    self.name = name
    self.settings = settings
    // What is noted in a run directory is read by each session: the fleet may not be there yet.
    guard !FleetPlace(name).isRunDirectory else { return }
    do { _ = try route() } catch { throw HalyardError(ending: error) }
  }

  func run(_ session: Session) async throws {
    let route = try route()
    try route.check()
    let clock = SystemClock()
    let ports = RolePorts(
      try ZeroMQTransport(ZeroMQSettings(allowsInsecure: settings.allowsInsecure), clock: clock), clock: clock
    )
    var wish = ProducerSettings(
      batch: ports.passingBatch(), start: Self.jobsAtStart,
      deadlineMilliseconds: settings.deadline?.wholeMilliseconds)
    wish.timeoutMilliseconds = settings.timeout.wholeMilliseconds
    try await ports.transport.withInbox(at: route.inbox) { [wish] inbox in
      try await session.run(
        Producer(settings: wish, inbox: inbox, aggregator: route.place.address, ports: ports))
    }
  }

  func route() throws -> FleetRoute {
    do {
      return try FleetRoute(to: FleetPlace(name), answersAt: settings.answersAt.map { Address($0) })
    } catch is FleetRoute.NeedsOwnAddress {
      throw HalyardError(
        .invalidInput, at: .input,
        "fleet \(name): answers from another machine need an address of this one; set answersAt")
    }
  }
}
