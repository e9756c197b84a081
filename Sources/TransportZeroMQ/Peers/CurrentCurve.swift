import Posix
import ZeroMQ

/// The keys of this process's lanes, which may change while it runs.
final class CurrentCurve: Sendable {
  private let current: Lock<CurveSettings?>

  init(_ curve: CurveSettings?) {
    current = Lock(curve)
  }

  var value: CurveSettings? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}

/// Inboxes and outlets that are there, so that new keys reach them.
final class LiveLanes: Sendable {
  private struct Entry<Lane: AnyObject & Sendable>: Sendable {
    weak let lane: Lane?
  }

  private struct State {
    var inboxes: [Entry<ZeroMQInbox>] = []
    var outlets: [Entry<ZeroMQOutlet>] = []
    /// Looked through for those that are gone when there are so many.
    var sweepAt = 16
  }

  private let state = Lock(State())

  func add(_ inbox: ZeroMQInbox) {
    state.withLock { $0.inboxes = $0.inboxes.filter { $0.lane != nil } + [Entry(lane: inbox)] }
  }

  func add(_ outlet: ZeroMQOutlet) {
    state.withLock { state in
      state.outlets.append(Entry(lane: outlet))
      guard state.outlets.count >= state.sweepAt else { return }
      state.outlets.removeAll { $0.lane == nil }
      state.sweepAt = max(16, 2 * state.outlets.count)
    }
  }

  var inboxes: [ZeroMQInbox] { state.withLock { $0.inboxes.compactMap(\.lane) } }
  var outlets: [ZeroMQOutlet] { state.withLock { $0.outlets.compactMap(\.lane) } }
}
