#if Fleet
  internal import Assembly
  internal import Pipeline
  internal import Roles
  internal import TransportZeroMQ

  /// The processes of a fleet.
  struct FleetBackend: CallBackend {
    private let name: String
    private let settings: FleetSettings
    private let log: any Log
    /// Jobs to begin with; a fleet has more fetchers than one.
    private static let jobsAtStart = 2_048

    /// - Parameter name: The fleet's run directory or address.
    init(_ name: String, _ settings: FleetSettings, log: any Log) throws(HalyardError) {
      (self.name, self.settings, self.log) = (name, settings, log)
      // What is noted in a run directory is read by each session: the fleet may not be there yet.
      guard !FleetPlace(name).isRunDirectory else { return }
      do { _ = try route() } catch { throw HalyardError(ending: error) }
    }

    func run(_ session: CallSession) async throws {
      let route = try route()
      try route.check()
      let clock = SystemClock()
      var ports = RolePorts(
        try ZeroMQTransport(ZeroMQSettings(allowsInsecure: settings.allowsInsecure), clock: clock),
        clock: clock, log: log)
      ports.show(try RunKeyFile(of: route.place)?.read())
      var wish = ProducerSettings(
        batch: ports.passingBatch(), start: Self.jobsAtStart,
        deadlineMilliseconds: settings.deadline?.wholeMilliseconds)
      wish.timeoutMilliseconds = settings.timeout.wholeMilliseconds
      try await ports.transport.withInbox(at: route.inbox) { [ports, wish] inbox in
        try await session.run(
          Producer(settings: wish, inbox: inbox, aggregator: route.place.address, ports: ports))
      }
    }

    func route() throws -> FleetRoute {
      do {
        return try FleetRoute(to: FleetPlace(name), answersAt: settings.answersAt.map { Address($0) })
          .withRoom()
      } catch is FleetRoute.NeedsOwnAddress {
        throw HalyardError(
          .invalidInput, at: .input,
          "fleet \(name): answers from another machine need an address of this one; set answersAt")
      }
    }
  }

  extension HalyardClient {
    /// Lets a fleet do the work. Only there with the trait `Fleet` of the package, which is on by default and needs libzmq.
    ///
    /// Throws ``HalyardError/Kind/invalidInput`` when there can be no such fleet, or a setting cannot be. The fleet itself is
    /// looked for by the first call.
    ///
    /// - Parameters:
    ///   - fleet: Its run directory, or its address: `ipc://PATH` or `tcp://HOST:PORT`.
    ///   - observers: What logs, measures or traces the calls.
    public convenience init(
      fleet: String, _ settings: FleetSettings = FleetSettings(), observers: [any CallObserver] = []
    ) throws(HalyardError) {
      try self.init(
        FleetBackend(fleet, settings, log: ObserverLog.log(for: observers)), settings.maxCalls, observers)
    }
  }
#endif
