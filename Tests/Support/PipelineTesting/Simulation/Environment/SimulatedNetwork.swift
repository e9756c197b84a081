import Pipeline
import Posix

/// Who is reachable where, and what keeps them apart.
final class SimulatedNetwork: Sendable {
  /// Two places of the fleet that cannot reach each other.
  struct Gap: Hashable, Sendable {
    private let ends: Set<String>

    init(_ one: String, _ other: String) {
      ends = [one, other]
    }
  }

  private struct State {
    var inboxes: [Address: SimulatedInbox] = [:]
    var lanes: [SimulatedLane] = []
    var gaps: Set<Gap> = []
    var weather: SimulatedWeather
  }

  let loop: SimulatedLoop
  let chance: SimulatedChance
  let trace: SimulatedTrace
  /// Sees every message that arrives, before the process does.
  let watch: @Sendable (Envelope, SimulatedProcess) -> Void
  /// Sees every message that is sent.
  let watchSending: @Sendable (SimulatedProcess) -> Void
  /// Looks at a process before it waits for what comes.
  let watchWaiting: @Sendable (SimulatedProcess) async -> Void
  private let state: Lock<State>

  init(
    loop: SimulatedLoop, chance: SimulatedChance, trace: SimulatedTrace, weather: SimulatedWeather,
    watchSending: @escaping @Sendable (SimulatedProcess) -> Void,
    watchWaiting: @escaping @Sendable (SimulatedProcess) async -> Void,
    watch: @escaping @Sendable (Envelope, SimulatedProcess) -> Void
  ) {
    self.loop = loop
    self.chance = chance
    self.trace = trace
    self.watch = watch
    self.watchSending = watchSending
    self.watchWaiting = watchWaiting
    state = Lock(State(weather: weather))
  }

  var weather: SimulatedWeather { state.withLock { $0.weather } }

  /// From now on nothing goes wrong any more, except what has already.
  func clearUp() {
    state.withLock { state in
      state.weather = SimulatedWeather()
      state.gaps = []
    }
  }

  func bind(_ address: Address, for process: SimulatedProcess) throws(TransportError) -> SimulatedInbox {
    let inbox = SimulatedInbox(address, of: process, in: self)
    let isFree = state.withLock { state in
      guard state.inboxes[address] == nil else { return false }
      state.inboxes[address] = inbox
      return true
    }
    guard isFree else { throw .addressInUse(address) }
    process.atDeath { inbox.vanish() }
    return inbox
  }

  /// Another process takes its addresses; what still comes to it is not taken from it.
  func evict(_ process: SimulatedProcess) {
    let inboxes = state.withLock { $0.inboxes.values.filter { $0.process === process } }
    for inbox in inboxes.sorted(by: { $0.address.text < $1.address.text }) { unbound(inbox) }
  }

  func unbound(_ inbox: SimulatedInbox) {
    let lanes = state.withLock { state in
      if state.inboxes[inbox.address] === inbox { state.inboxes[inbox.address] = nil }
      return state.lanes
    }
    let isLostHost = chance.happens(weather.lostHostRate)
    for lane in lanes where lane.leads(to: inbox) {
      lane.loseSight(after: isLostHost ? SimulatedWeather.heartbeat : SimulatedWeather.notice)
    }
  }

  func opened(_ lane: SimulatedLane) {
    state.withLock { $0.lanes.append(lane) }
    lane.owner.atDeath { lane.end() }
    lane.tryToConnect(afterMilliseconds: chance.within(0...3))
  }

  func closed(_ lane: SimulatedLane) {
    state.withLock { $0.lanes.removeAll { $0 === lane } }
  }

  /// The inbox at an address, when it can be reached from a process.
  func inbox(at address: Address, from process: SimulatedProcess) -> SimulatedInbox? {
    state.withLock { state in
      guard let inbox = state.inboxes[address], !inbox.process.isStopped,
        !state.gaps.contains(Gap(process.slot, inbox.process.slot))
      else { return nil }
      return inbox
    }
  }

  /// Breaks some lane that is up.
  func cutOne() {
    let lanes = state.withLock { $0.lanes }.filter(\.isUp)
    guard let lane = chance.element(of: lanes) else { return }
    trace.record("lane cut", lane.name)
    lane.loseSight(after: SimulatedWeather.notice)
  }

  func part(_ one: String, _ other: String, forMilliseconds duration: Int64) {
    let gap = Gap(one, other)
    trace.record("parted", "\(one) and \(other)", duration)
    let lanes = state.withLock { state in
      state.gaps.insert(gap)
      return state.lanes
    }
    for lane in lanes where lane.crosses(gap) { lane.loseSight(after: 0...12_000) }
    loop.schedule(at: loop.now.advanced(byMilliseconds: duration)) { [self] in
      state.withLock { _ = $0.gaps.remove(gap) }
    }
  }

  /// A peer of a stopped process gives up its lane after a while.
  func gaveUp(on process: SimulatedProcess) {
    for lane in state.withLock({ $0.lanes }) where lane.leads(toProcess: process) {
      lane.loseSight(after: SimulatedWeather.notice)
    }
  }
}
