import Assembly
import Pipeline
import Posix
import Roles
import TransportZeroMQ

/// A command's way to a fleet: who it is, and where the answers come.
struct FleetLink: Sendable {
  let place: FleetPlace
  let inbox: any Inbox
  let ports: RolePorts
  let notice: WaitingNotice
  let timeouts: FleetTimeouts

  /// A command that asks one question.
  var client: FleetClient { client(timeouts.firstMilliseconds) }

  /// A command that keeps running once it had an answer.
  var follower: FleetClient {
    client(notice.hasAnswered ? timeouts.laterMilliseconds : timeouts.firstMilliseconds)
  }

  private func client(_ milliseconds: @autoclosure @escaping @Sendable () -> Int64) -> FleetClient {
    FleetClient(inbox: inbox, aggregator: place.address, ports: ports, timeoutMilliseconds: milliseconds())
  }

  /// Sends echoes through every role, one after the other.
  func ping(_ batch: BatchID, count: UInt64, _ sink: @Sendable (Ping) async throws -> Void) async throws {
    try await client.ping(batch, count: count, name: "\(batch).ping.invalid", sink)
  }

  func producer(_ settings: ProducerSettings) -> Producer {
    var settings = settings
    settings.timeoutMilliseconds = timeouts.laterMilliseconds
    return Producer(settings: settings, inbox: inbox, aggregator: place.address, ports: ports)
  }

  /// Runs a producer to its end. A fleet that takes no jobs is given up as one is that says nothing.
  ///
  /// - Returns: The signal that ended the run early, if one did.
  func run(_ producer: Producer, _ feed: any JobFeed, for user: PipelineRun.User) async throws -> Int32? {
    let limit = timeouts.laterMilliseconds
    var user = user
    user.isStuck = { notice.isStuck }
    user.hasGivenUp = { notice.refusesJobs(forMilliseconds: limit) != nil }
    let signal = try await PipelineRun.run(producer, feed, for: user)
    if signal == nil, let refusal = notice.refusesJobs(forMilliseconds: limit) { throw refusal }
    return signal
  }
}

/// How long a fleet may say nothing.
struct FleetTimeouts: Hashable, Sendable {
  let firstMilliseconds: Int64
  /// Of a fleet that has answered: what is taken for gone may only be starting again.
  let laterMilliseconds: Int64

  init(_ arguments: ParsedArguments) {
    firstMilliseconds = arguments[FleetOption.wait]
    laterMilliseconds =
      arguments.isSet(FleetOption.wait) ? firstMilliseconds : FleetOption.followingMilliseconds
  }

  /// How long a run waits for a ledger that refuses commits; at a terminal until the user ends it.
  static func forLedger(_ arguments: ParsedArguments) -> Int64? {
    isTerminal(2) ? nil : FleetTimeouts(arguments).laterMilliseconds
  }
}

/// How a command reaches its fleet, decided before it does.
struct FleetLinkPlan: Sendable {
  let arguments: ParsedArguments
  private let route: FleetRoute
  private var isQuiet: Bool
  private let makeTransport: @Sendable (SystemClock, any Log) throws -> any Transport

  init(_ arguments: ParsedArguments) throws {
    let lanes = try ZeroMQSettings(arguments)
    if let named = arguments[FleetOption.fleet] { try ZeroMQSettings.check(named.address) }
    try self.init(arguments) { try ZeroMQTransport(lanes, clock: $0, log: $1) }
    // By the address of the fleet, which the user knows, before that for the answers is tried.
    try lanes.checkSafety(of: place.address)
  }

  /// - Parameter makeTransport: What the lanes are made of.
  init(
    _ arguments: ParsedArguments,
    makeTransport: @escaping @Sendable (SystemClock, any Log) throws -> any Transport
  ) throws {
    self.arguments = arguments
    do {
      route = try FleetRoute(
        to: arguments.fleetPlace, answersAt: arguments[FleetOption.bind].map { Address($0) })
    } catch is FleetRoute.NeedsOwnAddress {
      throw arguments.rejection(
        of: FleetOption.fleet, "answers from another machine need --bind tcp://OWN-ADDRESS:0")
    }
    self.makeTransport = makeTransport
    isQuiet = arguments[LinkOption.quiet]
  }

  /// For a command that asks the fleet of its run directory in passing.
  init(
    askingIn directory: String, wait: String, _ more: [String], environment: [String: String]
  ) throws {
    let words =
      [CommandTable.ping.name, FleetOption.fleet.flag, directory, FleetOption.wait.flag, wait]
      + [LinkOption.logLevel.flag, "error"] + more
    guard let ping = try Invocation.arguments(words, environment) else {
      throw FleetSilent(address: FleetPlace(runDirectory: directory).address, milliseconds: 0)
    }
    try self.init(ping)
  }

  var place: FleetPlace { route.place }

  /// The run directory by which the fleet was named; nil when it was not.
  private var directory: String? {
    arguments.fleetPlace.isRunDirectory ? arguments.fleetPlace.directory : nil
  }

  /// The same without a word while it waits.
  var inSilence: FleetLinkPlan {
    var plan = self
    plan.isQuiet = true
    return plan
  }

  /// Runs `body` with a way to the fleet, and ends the way with it.
  func withLink<Answer: Sendable>(
    _ body: @Sendable (FleetLink) async throws -> Answer
  ) async throws -> Answer {
    do {
      return try await linked(body)
    } catch var silence as FleetSilent {
      silence.directory = directory
      throw silence
    }
  }

  private func linked<Answer: Sendable>(
    _ body: @Sendable (FleetLink) async throws -> Answer
  ) async throws -> Answer {
    let timeouts = FleetTimeouts(arguments)
    // One that is yet to be started is waited for if the user said how long.
    if !arguments.isSet(FleetOption.wait), FleetCondition(of: place, in: directory).isAbsent {
      throw FleetSilent(address: place.address, milliseconds: 0)
    }
    let clock = SystemClock()
    let followers =
      [CommandTable.submit, CommandTable.results, CommandTable.watch] + CommandTable.linkCommands
    let notice = WaitingNotice(
      place, timeoutMilliseconds: timeouts.firstMilliseconds, isQuiet: isQuiet,
      follows: followers.contains(arguments.command))
    defer { notice.end() }
    try await waitForDirectory(on: clock, within: timeouts.firstMilliseconds)
    let log = try StandardErrorLog(LogPlan(arguments))
    var ports = RolePorts(try makeTransport(clock, log), clock: clock, log: log)
    ports.show(try RunKeyFile(of: place)?.read())
    return try await ports.transport.withInbox(at: route.withRoom(arguments.environment).inbox) {
      [ports] inbox in
      try await body(
        FleetLink(
          place: place, inbox: notice.watched(inbox), ports: ports, notice: notice, timeouts: timeouts))
    }
  }

  /// The socket for the answers stands in the fleet's directory, which a fleet that is just starting has yet to make.
  private func waitForDirectory(on clock: SystemClock, within milliseconds: Int64) async throws {
    let giveUp = clock.now.advanced(byMilliseconds: milliseconds)
    guard let directory = place.directory else { return }
    while try !isDirectory(directory) || RunKeyFile(of: place)?.read() == nil {
      guard clock.now < giveUp else {
        throw FleetSilent(address: place.address, milliseconds: milliseconds)
      }
      try await clock.sleep(until: clock.now.advanced(byMilliseconds: Self.lookMilliseconds))
    }
    try route.check()
  }

  private static let lookMilliseconds: Int64 = 50
}

/// An inbox with something around each receiving.
struct TappedInbox: Inbox {
  let base: any Inbox
  let receiving: @Sendable (_ base: any Inbox, _ limit: Int, _ moment: Moment?) async throws -> [Delivery]

  var address: Address { base.address }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    try await receiving(base, limit, moment)
  }

  func note(_ notice: LaneNotice) async {
    await base.note(notice)
  }

  func close() async {
    await base.close()
  }
}

/// Work that Ctrl-C and SIGTERM end, with everything put away that it had open.
enum Interruptible {
  static func run(_ body: @escaping @Sendable () async throws -> ExitCode) async throws -> ExitCode {
    let caught = Lock<Int32?>(nil)
    let task = Task { try await body() }
    try SignalWatch.start([SignalWatch.interrupt, SignalWatch.terminate]) { signal in
      caught.withLock { $0 = $0 ?? signal }
      task.cancel()
    }
    do {
      return try await task.value
    } catch is CancellationError {
      guard let signal = caught.withLock({ $0 }) else { throw CancellationError() }
      return ExitCode(endedBy: signal)
    }
  }
}
