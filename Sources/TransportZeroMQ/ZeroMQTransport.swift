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
