internal import ClockPosix
internal import Pipeline
internal import Posix
internal import Roles
internal import TransportZeroMQ

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
    wish.timeoutMilliseconds = settings.timeout.wholeMilliseconds
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

  /// Where the answers come. It is named after its process, so that a fleet sweeps it up behind a process that was
  /// killed.
  func ownAddress() throws(HalyardError) -> Address {
    if let own = settings.answersAt { return Address(own) }
    if address.text.hasPrefix("ipc://"), let slash = address.text.lastIndex(of: "/") {
      let mark = String(UInt32.random(in: .min ... .max), radix: 16)
      return Address("\(address.text[..<slash])/client-\(processID)-\(mark)")
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
