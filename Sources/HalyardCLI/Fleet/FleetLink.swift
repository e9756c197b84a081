import ClockPosix
import Pipeline
import Posix
import Roles

/// A command's way to a fleet: who it is, and where the answers come.
struct FleetLink: Sendable {
  let place: FleetPlace
  let inbox: any Inbox
  let ports: RolePorts
  let notice: WaitingNotice
  let timeouts: FleetTimeouts

  /// A command that asks one question.
  var client: FleetClient { client(timeouts.firstMilliseconds) }

  /// A command that had an answer and keeps running.
  var follower: FleetClient { client(timeouts.laterMilliseconds) }

  private func client(_ milliseconds: Int64) -> FleetClient {
    FleetClient(inbox: inbox, aggregator: place.address, ports: ports, timeoutMilliseconds: milliseconds)
  }

  /// A new batch that leaves nothing behind.
  func passingBatch() -> BatchID { .passing(ports.random.uuid(at: ports.clock.now)) }

  /// Sends echoes through every role, one after the other.
  func ping(_ batch: BatchID, count: UInt64, _ sink: @Sendable (Ping) async throws -> Void) async throws {
    try await client.ping(batch, count: count, name: "\(batch).ping.invalid", sink)
  }

  func producer(_ settings: ProducerSettings) -> Producer {
    var settings = settings
    settings.timeoutMilliseconds = timeouts.laterMilliseconds
    return Producer(settings: settings, inbox: inbox, aggregator: place.address, ports: ports)
  }
}

/// How long a fleet may say nothing.
struct FleetTimeouts: Hashable, Sendable {
  var firstMilliseconds: Int64
  /// Of a fleet that has answered: what is taken for gone may only be starting again.
  var laterMilliseconds: Int64

  init(_ arguments: ParsedArguments) {
    firstMilliseconds = arguments[FleetOption.wait]
    laterMilliseconds =
      arguments.isSet(FleetOption.wait.spec) ? firstMilliseconds : FleetOption.followingMilliseconds
  }

  /// How long a run waits for a ledger that refuses commits; at a terminal until the user ends it.
  static func forLedger(_ arguments: ParsedArguments) -> Int64? {
    isTerminal(2) ? nil : FleetTimeouts(arguments).laterMilliseconds
  }
}

/// How a command reaches its fleet, decided before it does.
struct FleetLinkPlan: Sendable {
  let place: FleetPlace
  private let bind: Address
  private let timeouts: FleetTimeouts
  private let log: LogPlan
  private let isQuiet: Bool
  private let makeTransport: @Sendable (SystemClock, any Log) throws -> any Transport

  init(_ arguments: ParsedArguments, environment: [String: String]) throws {
    let transport = try TransportPlan(arguments)
    try self.init(arguments, environment: environment) { try transport.make(clock: $0, log: $1) }
  }

  /// - Parameter makeTransport: What the lanes are made of.
  init(
    _ arguments: ParsedArguments, environment: [String: String],
    makeTransport: @escaping @Sendable (SystemClock, any Log) throws -> any Transport
  ) throws {
    let named =
      try arguments.place(FleetOption.fleet)
      ?? FleetPlace(runDirectory: FleetPlace.usualDirectory(environment))
    let elsewhere = try named.isRunDirectory ? named.directory.flatMap(Self.elsewhere) : nil
    place = elsewhere ?? named
    self.makeTransport = makeTransport
    timeouts = FleetTimeouts(arguments)
    log = LogPlan(arguments, environment: environment)
    isQuiet = arguments[LinkOption.quiet]
    bind = try Self.inbox(arguments, place, isHere: elsewhere != nil)
  }

  /// Where the fleet of a directory says that it is; nothing is read before the directory is checked.
  private static func elsewhere(_ directory: String) throws(DistrustedPath) -> FleetPlace? {
    guard isDirectory(directory) else { return nil }
    return try RunDirectory(checking: directory).place()
  }

  /// - Parameter isHere: The fleet has a directory on this machine, whatever address it listens at.
  private static func inbox(
    _ arguments: ParsedArguments, _ place: FleetPlace, isHere: Bool
  ) throws(UsageError) -> Address {
    if let bind = arguments[FleetOption.bind] { return Address(bind) }
    if let own = place.inbox("client", .random(in: .min ... .max)) { return own }
    if place.address.text.hasPrefix("tcp://[::1]:") { return Address("tcp://[::1]:0") }
    guard
      isHere || place.address.text.hasPrefix("tcp://127.") || place.address.text.hasPrefix("tcp://localhost")
    else {
      throw arguments.rejection(
        of: FleetOption.fleet, "answers from another machine need --bind tcp://OWN-ADDRESS:0")
    }
    return Address("tcp://127.0.0.1:0")
  }

  /// Runs `body` with a way to the fleet, and ends the way with it.
  func withLink<Answer: Sendable>(
    _ body: @Sendable (FleetLink) async throws -> Answer
  ) async throws -> Answer {
    let clock = SystemClock()
    let notice = WaitingNotice(place, timeoutMilliseconds: timeouts.firstMilliseconds, isQuiet: isQuiet)
    defer { notice.end() }
    try await waitForDirectory(on: clock)
    let log = try StandardErrorLog(self.log)
    let ports = RolePorts(
      transport: try makeTransport(clock, log), clock: clock,
      random: Randomness { UInt64.random(in: .min ... .max) }, log: log)
    let inbox = notice.watched(try await ports.transport.bind(bind))
    let answer: Result<Answer, any Error>
    do {
      answer = .success(
        try await body(
          FleetLink(place: place, inbox: inbox, ports: ports, notice: notice, timeouts: timeouts)))
    } catch {
      answer = .failure(error)
    }
    await inbox.close()
    return try answer.get()
  }

  /// The socket for the answers stands in the fleet's directory, which a fleet that is just starting has yet to make.
  private func waitForDirectory(on clock: SystemClock) async throws {
    let giveUp = clock.now.advanced(byMilliseconds: timeouts.firstMilliseconds)
    guard let directory = place.directory else { return }
    while !isDirectory(directory) {
      guard clock.now < giveUp else {
        throw FleetSilent(address: place.address, milliseconds: timeouts.firstMilliseconds)
      }
      try await clock.sleep(until: clock.now.advanced(byMilliseconds: Self.lookMilliseconds))
    }
    _ = try RunDirectory(checking: directory)
  }

  private static let lookMilliseconds: Int64 = 50
}
