package import Pipeline
import Posix
package import ZeroMQ

/// The message shared between processes, over `ipc://PATH` and `tcp://HOST:PORT`. One for each process.
package final class ZeroMQTransport: Transport {
  private let shared: ZeroMQContext
  private let names = Lock(0)

  /// - Parameters:
  ///   - clock: For the moments that roles wait until.
  ///   - laneClock: For the health of lanes; nil when it is the same. Lanes need real time to come up.
  ///   - startThreads: Starts the library's threads on a thread that they are to be like; nil when any will do.
  package init(
    _ settings: ZeroMQSettings = ZeroMQSettings(), clock: any PipelineClock,
    laneClock: (any PipelineClock)? = nil, log: any Log = NoLog(),
    startThreads: ((Context) throws -> Void)? = nil
  ) throws {
    _ = raiseDescriptorLimit(to: LaneConstants.descriptors)
    let (context, watcher) = (try Context(mostSockets: LaneConstants.sockets), try ReadinessWatcher())
    try startThreads?(context)
    let authenticator = try settings.curve.map { curve in
      try CurveAuthenticator(curve, in: context, watcher, log: log)
    }
    authenticator?.open()
    shared = ZeroMQContext(
      context: context, watcher: watcher, authenticator: authenticator, settings: settings,
      curve: Lock(settings.curve), clock: clock,
      laneClock: laneClock ?? clock, log: log)
  }

  package func bind(_ address: Address) async throws -> any Inbox {
    let endpoint = try Endpoint(address)
    try shared.settings.checkSafety(of: address)
    let inbox = try ZeroMQInbox(address, endpoint, name: newName(), in: shared)
    await inbox.follow()
    shared.inboxes.withLock { $0.add(inbox) }
    return inbox
  }

  package func connect(to address: Address, notifying inbox: (any Inbox)?) async throws -> any Outlet {
    let endpoint = try Endpoint(address)
    try shared.settings.checkSafety(of: address)
    if case .ipc(let path) = endpoint { try PathClaim.checkDirectory(of: path, for: address) }
    let outlet = try ZeroMQOutlet(address, endpoint, name: newName(), notifying: inbox, in: shared)
    await outlet.follow()
    shared.outlets.withLock { $0.add(outlet) }
    return outlet
  }

  /// Has these keys from now on, in place of those in the settings. Lanes that they do not allow any more are cut, and those
  /// that can come up again do so by themselves. A process without keys stays without.
  package func secure(with curve: CurveSettings) async {
    guard let former = shared.curve.value, former != curve else { return }
    shared.curve.value = curve
    await shared.authenticator?.allow(curve.allowed)
    if curve.cutsLanes(of: former) { for inbox in shared.inboxes.value.all { await inbox.bindAnew() } }
    if curve.renewsLanes(of: former) {
      for outlet in shared.outlets.value.all { await outlet.renewSecured() }
    }
  }

  /// Clients that were refused since the start.
  package var refusals: RefusalReport {
    get async { await shared.authenticator?.refusals ?? RefusalReport() }
  }

  private func newName() -> String {
    names.withLock { last in
      last += 1
      return "\(last)"
    }
  }
}

/// What all lanes of a process share.
struct ZeroMQContext: Sendable {
  let context: Context
  let watcher: ReadinessWatcher
  /// Lets clients in as long as there is an inbox, even when the transport itself is gone.
  let authenticator: CurveAuthenticator?
  let settings: ZeroMQSettings
  /// The keys of this process's lanes, which may change while it runs.
  let curve: Lock<CurveSettings?>
  /// Those that are there, so that new keys reach them.
  let inboxes = Lock(LiveLanes<ZeroMQInbox>())
  let outlets = Lock(LiveLanes<ZeroMQOutlet>())
  /// For `receive(until:)`.
  let clock: any PipelineClock
  /// For the health of lanes, which follows the machine's time whatever the roles' clock does.
  let laneClock: any PipelineClock
  let log: any Log

  /// - Parameter pair: What the inbox proves itself with; nil for the aggregator, which does so with its process's pair.
  func inboxSocket(for endpoint: Endpoint, provenBy pair: CurveKeyPair?) throws(ZeroMQError) -> Socket {
    let socket = try Socket(.pull, in: context)
    try setCommon(socket, for: endpoint)
    try socket.set(.receiveHighWaterMark(0))
    try socket.set(.largestMessage(Int64(EnvelopeCodec.largestFrame)))
    try socket.set(.backlog(LaneConstants.backlog))
    if endpoint.isTCP, let curve = curve.value {
      try socket.set(.authenticationDomain(CurveAuthenticator.domain))
      try socket.set(.requiresAuthenticator)
      try socket.set(.isCurveServer)
      try socket.set(.curveSecretKey((pair ?? curve.own).secretKey))
    }
    return socket
  }

  /// - Parameter attempt: Which of the keys the aggregator is expected to have, counted round and round.
  func outletSocket(for endpoint: Endpoint, attempt: Int) throws(ZeroMQError) -> Socket {
    let socket = try Socket(.push, in: context)
    try setCommon(socket, for: endpoint)
    try socket.set(.sendHighWaterMark(settings.highWaterMark))
    try socket.set(.onlyToConnectedPeers)
    try socket.set(.reconnectInterval(Int32.random(in: LaneConstants.reconnect)))
    try socket.set(.longestReconnectInterval(LaneConstants.longestReconnect))
    if let silence = settings.longestSilence { try setHeartbeats(socket, silence) }
    if endpoint.isTCP, let curve = curve.value {
      let expected = endpoint.key ?? curve.aggregators[attempt % curve.aggregators.count]
      try socket.set(.curveServerKey(expected))
      try socket.set(.curvePublicKey(curve.own.publicKey))
      try socket.set(.curveSecretKey(curve.own.secretKey))
    }
    return socket
  }

  /// At this end only: libzmq 4.3.4 aborts when both ends do it.
  private func setHeartbeats(_ socket: borrowing Socket, _ silence: Int32) throws(ZeroMQError) {
    try socket.set(.heartbeatInterval(silence / LaneConstants.heartbeats))
    try socket.set(.heartbeatTimeout(silence))
    try socket.set(.heartbeatLifetime(3 * silence))
  }

  private func setCommon(_ socket: borrowing Socket, for endpoint: Endpoint) throws(ZeroMQError) {
    try socket.set(.linger(0))
    try socket.set(.handshakeLimit(LaneConstants.handshake))
    if endpoint.isIPv6 { try socket.set(.allowsIPv6) }
    if let bytes = settings.kernelBufferBytes {
      try socket.set(.sendBuffer(bytes))
      try socket.set(.receiveBuffer(bytes))
    }
  }

  func unusable(_ endpoint: Endpoint, _ error: any Error) -> TransportError {
    func unusable(_ why: String, _ remedy: String) -> TransportError {
      .unusable(what: endpoint.text, why: why, remedy: remedy)
    }
    let moreFiles = "let the process have more open files (ulimit -n)"
    switch error {
    case let error as TransportError: return error
    case let error as ZeroMQError:
      return switch error.cause {
      case .addressInUse: .addressInUse(Address(endpoint.text))
      case .noSuchAddress: unusable(error.message, "use an address that this machine has, in numbers")
      case .exhausted: unusable(error.message, moreFiles)
      case .noRoom: unusable(error.message, PathClaim.noRoom)
      case .other: unusable(error.message, "check the address")
      }
    case let error as PosixError:
      return unusable(error.message, error.isNoRoom ? PathClaim.noRoom : moreFiles)
    default: return unusable("\(error)", "check the address")
    }
  }
}
