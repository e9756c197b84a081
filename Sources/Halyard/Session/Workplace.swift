internal import ClockPosix
internal import FetchCurl
internal import LedgerMemory
internal import Links
internal import Pipeline
internal import Posix
internal import Roles
internal import TransportInProcess
internal import TransportZeroMQ

/// Where a session's jobs are done.
protocol Workplace: Sendable {
  /// Returns when the session was stopped and all its work has ended.
  func run(_ session: Session) async throws
}

/// All roles in this process.
struct EmbeddedPlace: Workplace {
  private var settings: ClientSettings
  private let fetching: (any Fetching)?
  private static let otherDescriptors = 64

  /// - Parameter fetching: Nil for the network.
  init(_ settings: ClientSettings, fetching: (any Fetching)? = nil) {
    self.settings = settings
    self.fetching = fetching
    self.settings.concurrency = max(1, settings.concurrency)
  }

  func run(_ session: Session) async throws {
    let clock = SystemClock()
    if let fetching { return try await run(session, over: fetching, executor: nil, clock: clock) }
    let (curl, concurrency) = try curlSettings(clock)
    var place = self
    place.settings.concurrency = concurrency
    let fetching = CurlFetching(settings: curl)
    let ending: Result<Void, any Error>
    do {
      try await place.run(session, over: fetching, executor: fetching.executor, clock: clock)
      ending = .success(())
    } catch {
      ending = .failure(error)
    }
    try? await BlockingWorker(name: "end of fetching").run { fetching.shutdown() }
    try ending.get()
  }

  private func run(
    _ session: Session, over fetching: any Fetching, executor: (any TaskExecutor)?, clock: SystemClock
  ) async throws {
    let random = Randomness { UInt64.random(in: .min ... .max) }
    let pipeline = LocalPipeline(
      settings: LocalPipeline.Settings(
        aggregator: AggregatorSettings(
          perHost: max(1, settings.perHost), hostDelayMilliseconds: settings.hostDelay.wholeMilliseconds,
          retry: RetryRule(retries: UInt16(clamping: settings.retries))),
        fetcher: FetcherSettings(
          concurrency: settings.concurrency, maxHops: settings.maxHops,
          timeoutMilliseconds: settings.timeout.wholeMilliseconds)),
      ports: RolePorts(
        transport: InProcessTransport(clock: clock), clock: clock, random: random, executor: executor),
      ledger: MemoryLedger(), fetching: fetching)
    let producer = ProducerSettings(
      batch: .passing(random.uuid(at: clock.now)), start: settings.concurrency,
      deadlineMilliseconds: settings.deadline?.wholeMilliseconds)
    try await pipeline.withProducer(producer) { try await session.run($0) }
  }

  /// Keeps transfers to the files that may be open: connections that cannot be opened would look like servers that do
  /// not answer.
  private func curlSettings(_ clock: SystemClock) throws(HalyardError) -> (CurlSettings, concurrency: Int) {
    let guardian = AddressGuard(
      allowed: try ranges(), own: interfaceAddresses().compactMap { IPAddress($0) })
    var curl = CurlSettings(
      now: { clock.now },
      refusal: { text in
        guard let address = IPAddress(text) else { return "unreadable" }
        return switch guardian.verdict(on: address) {
        case .allowed: nil
        case .refused(let reason): reason
        }
      })
    curl.userAgent = String(settings.userAgent.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F })
    curl.firstByteLimit = max(curl.firstByteLimit, settings.timeout.wholeMilliseconds)
    let wanted = settings.concurrency + Self.otherDescriptors
    let limit = raiseDescriptorLimit(to: wanted) ?? wanted
    curl.connections = min(settings.concurrency, max(limit - Self.otherDescriptors, limit / 2))
    curl.idleConnections = curl.connections
    return (curl, curl.connections)
  }

  private func ranges() throws(HalyardError) -> [AddressRange] {
    var ranges: [AddressRange] = []
    for text in settings.allowedAddresses {
      do {
        ranges.append(try AddressRange(cidr: text))
      } catch {
        throw HalyardError(
          .invalidInput, at: Stage.address.rawValue, "allowed address '\(text)': \(error.message)")
      }
    }
    return ranges
  }
}

/// The processes of a fleet.
struct FleetPlace: Workplace {
  private let place: String
  private let settings: FleetSettings
  private static let socket = "aggregator"
  /// Jobs to begin with; a fleet has more fetchers than one.
  private static let jobsAtStart = 2_048

  init(_ place: String, _ settings: FleetSettings) {
    self.place = place
    self.settings = settings
  }

  func run(_ session: Session) async throws {
    let clock = SystemClock()
    let random = Randomness { UInt64.random(in: .min ... .max) }
    let ports = RolePorts(
      transport: try ZeroMQTransport(
        ZeroMQSettings(allowsInsecure: settings.allowsInsecure), clock: clock),
      clock: clock, random: random)
    var wish = ProducerSettings(
      batch: .passing(random.uuid(at: clock.now)), start: Self.jobsAtStart,
      deadlineMilliseconds: settings.deadline?.wholeMilliseconds)
    wish.patienceMilliseconds = settings.patience.wholeMilliseconds
    let inbox = try await ports.transport.bind(try ownAddress())
    let ending: Result<Void, any Error>
    do {
      let producer = Producer(settings: wish, inbox: inbox, aggregator: address, ports: ports)
      try await session.run(producer)
      ending = .success(())
    } catch {
      ending = .failure(error)
    }
    await inbox.close()
    try ending.get()
  }

  private var isAddress: Bool { place.hasPrefix("tcp://") || place.hasPrefix("ipc://") }

  var address: Address {
    isAddress ? Address(place) : Address("ipc://\(absolutePath(place))/\(Self.socket)")
  }

  /// Where the answers come. Its name is that of whoever asks, so that a fleet sweeps it up behind a process that was
  /// killed.
  func ownAddress() throws(HalyardError) -> Address {
    if let own = settings.answersAt { return Address(own) }
    if address.text.hasPrefix("ipc://"), let slash = address.text.lastIndex(of: "/") {
      let mark = String(UInt32.random(in: .min ... .max), radix: 16)
      return Address("\(address.text[..<slash])/asker-\(processID)-\(mark)")
    }
    if address.text.hasPrefix("tcp://[::1]:") { return Address("tcp://[::1]:0") }
    guard address.text.hasPrefix("tcp://127.") || address.text.hasPrefix("tcp://localhost") else {
      throw HalyardError(
        .invalidInput, at: Stage.input.rawValue,
        "fleet \(place): answers from another machine need an address of this one; set answersAt")
    }
    return Address("tcp://127.0.0.1:0")
  }
}
