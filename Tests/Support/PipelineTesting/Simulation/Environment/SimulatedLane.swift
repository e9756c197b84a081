import Pipeline
import Posix

/// A lane over the simulated network: keeps its order, loses what is under way when it breaks, and connects again.
final class SimulatedLane: Outlet {
  private struct State {
    var peer: SimulatedInbox?
    /// Counts its connections: what travelled on an earlier one does not arrive.
    var connection = 0
    /// It is broken, and this end does not know yet: what is sent vanishes.
    var isBroken = false
    var isClosed = false
    var lastArrival = SimulatedLoop.start
    var waiting: [Waiter] = []
  }

  let address: Address
  let owner: SimulatedProcess
  private let inbox: SimulatedInbox?
  private let network: SimulatedNetwork
  private let state = Lock(State())

  init(
    to address: Address, from owner: SimulatedProcess, notifying inbox: SimulatedInbox?,
    in network: SimulatedNetwork
  ) {
    self.address = address
    self.owner = owner
    self.inbox = inbox
    self.network = network
  }

  var name: String { "\(owner.name) to \(address)" }
  var isUp: Bool { state.withLock { $0.peer != nil && !$0.isBroken } }

  func leads(to inbox: SimulatedInbox) -> Bool { state.withLock { $0.peer === inbox } }

  func leads(toProcess process: SimulatedProcess) -> Bool { state.withLock { $0.peer?.process === process } }

  func crosses(_ gap: SimulatedNetwork.Gap) -> Bool {
    state.withLock { $0.peer }.map { SimulatedNetwork.Gap(owner.slot, $0.process.slot) == gap } ?? false
  }

  func receiverSpoke() {}

  /// What is under way when a lane is closed in good order still arrives.
  func close() async {
    end(losing: false)
  }

  /// Its process died: what is under way arrives or does not.
  func end() {
    end(losing: network.chance.happens(0.5))
  }

  private func end(losing isLoss: Bool) {
    let waiting: [Waiter]? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.isClosed = true
      if isLoss { state.connection += 1 }
      defer { state.waiting = [] }
      return state.waiting
    }
    guard let waiting else { return }
    for waiter in waiting { waiter.wake() }
    network.closed(self)
  }

  func send(_ burst: [Envelope]) async throws {
    var refusal: TransportError?
    for envelope in burst {
      let frame: [UInt8]
      do throws(FrameTooLarge) {
        frame = try EnvelopeCodec.encode(envelope)
      } catch {
        network.trace.complain("\(name): a message of \(error.bytes) bytes, and \(error.limit) is the most")
        refusal = refusal ?? .tooLarge(bytes: error.bytes, limit: error.limit)
        continue
      }
      while true {
        let (isClosed, isAway) = state.withLock { ($0.isClosed, $0.peer == nil) }
        guard !isClosed else { throw TransportError.closed(address) }
        guard isAway else { break }
        try Task.checkCancellation()
        let waiter = Waiter()
        state.withLock { $0.waiting.append(waiter) }
        await waiter.wait()
      }
      network.watchSending(owner)
      transmit(frame, envelope)
    }
    if let refusal { throw refusal }
  }
}

// What becomes of a message.
extension SimulatedLane {
  private func transmit(_ frame: [UInt8], _ envelope: Envelope) {
    let weather = network.weather
    let isLost = state.withLock { $0.isBroken } || network.chance.happens(weather.lossRate)
    network.trace.record(isLost ? "lost" : "sent", self, envelope, frame)
    guard !isLost else { return }
    if network.chance.happens(weather.noiseRate) { deliver(spoilt(frame)) }
    deliver(frame)
    if network.chance.happens(weather.doubleRate) { deliver(frame) }
  }

  private func spoilt(_ frame: [UInt8]) -> [UInt8] {
    var frame = frame
    frame[network.chance.below(frame.count)] ^= 1 << UInt8(network.chance.below(8))
    if network.chance.happens(0.2) { frame.removeLast(network.chance.below(frame.count)) }
    return frame
  }

  private func deliver(_ frame: [UInt8]) {
    let weather = network.weather
    let isLate = network.chance.happens(weather.lateRate)
    let wait = network.chance.within(isLate ? weather.late : weather.delay)
    let overtakes = network.chance.happens(weather.overtakeRate)
    let earliest = network.loop.now.advanced(byMilliseconds: wait)
    let (peer, connection, arrival) = state.withLock { state in
      let arrival = overtakes ? earliest : max(earliest, state.lastArrival)
      if !overtakes { state.lastArrival = arrival }
      return (state.peer, state.connection, arrival)
    }
    guard let peer else { return }
    peer.process.schedule(at: arrival) { self.arrived(frame, at: peer, over: connection) }
  }

  private func arrived(_ frame: [UInt8], at peer: SimulatedInbox, over connection: Int) {
    guard state.withLock({ $0.connection }) == connection else {
      return network.trace.record("lost on the way", name)
    }
    guard let envelope = try? EnvelopeCodec.decode(frame) else {
      return network.trace.record("refused", name)
    }
    network.trace.record("arrived", self, envelope, frame)
    peer.put(envelope)
    network.watch(envelope, peer.process)
  }
}

// Its connection.
extension SimulatedLane {
  func tryToConnect(afterMilliseconds wait: Int64) {
    owner.schedule(afterMilliseconds: wait) { [self] in
      guard !state.withLock({ $0.isClosed || $0.peer != nil }) else { return }
      guard let peer = network.inbox(at: address, from: owner) else {
        return tryToConnect(
          afterMilliseconds: min(5_000, wait + network.chance.within(SimulatedWeather.reconnect)))
      }
      let waiting = state.withLock { state in
        state.peer = peer
        state.isBroken = false
        state.connection += 1
        defer { state.waiting = [] }
        return state.waiting
      }
      network.trace.record("lane up", name)
      for waiter in waiting { waiter.wake() }
      tell(isUp: true)
    }
  }

  /// It breaks now, and this end notices some time later.
  func loseSight(after delay: ClosedRange<Int64>) {
    let broken: Int? = state.withLock { state in
      guard !state.isClosed, state.peer != nil, !state.isBroken else { return nil }
      state.isBroken = true
      state.connection += 1
      return state.connection
    }
    guard let broken else { return }
    owner.schedule(afterMilliseconds: network.chance.within(delay)) { [self] in
      let isCurrent = state.withLock { state in
        guard !state.isClosed, state.connection == broken else { return false }
        state.peer = nil
        return true
      }
      guard isCurrent else { return }
      network.trace.record("lane down", name)
      tell(isUp: false)
      tryToConnect(afterMilliseconds: network.chance.within(SimulatedWeather.reconnect))
    }
  }

  private func tell(isUp: Bool) {
    guard let inbox else { return }
    guard !network.chance.happens(network.weather.lostNoticeRate) else {
      return network.trace.record("notice lost", name)
    }
    owner.schedule(afterMilliseconds: network.chance.within(SimulatedWeather.notice)) { [self] in
      inbox.put(LaneNotice(address: address, isUp: isUp))
    }
  }
}
