import Pipeline
import Posix

/// A queue that belongs to a process and vanishes with it.
final class SimulatedInbox: Inbox {
  private struct State {
    var queue = FIFO<Envelope>()
    var notices = LaneNotices()
    var reader: Waiter?
    var isClosed = false
    /// Empty bursts for a moment that had passed, since time went on last.
    var vainTurns = 0
    var lastTurn = SimulatedLoop.start
  }

  /// So many vain turns in one moment are no coincidence.
  private static let timeout = 20

  let address: Address
  let process: SimulatedProcess
  private let network: SimulatedNetwork
  private let state = Lock(State())

  init(_ address: Address, of process: SimulatedProcess, in network: SimulatedNetwork) {
    self.address = address
    self.process = process
    self.network = network
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    await network.watchWaiting(process)
    while true {
      try Task.checkCancellation()
      guard !isClosed else { throw TransportError.closed(address) }
      let burst = take(atMost: limit)
      if !burst.isEmpty { return burst }
      if let moment, process.loop.now >= moment {
        guard isSpinning(for: moment) else { return [] }
        try await SimulatedClock(process: process).sleep(until: process.loop.now.advanced(byMilliseconds: 1))
        continue
      }
      let waiter = Waiter()
      state.withLock { $0.reader = waiter }
      if let moment { process.schedule(at: moment) { waiter.wake() } }
      await waiter.wait()
    }
  }

  /// A role that asks again and again to be woken at a moment that has passed does nothing else on its thread.
  private func isSpinning(for moment: Moment) -> Bool {
    let now = process.loop.now
    let isSpinning = state.withLock { state in
      state.vainTurns = state.lastTurn == now ? state.vainTurns + 1 : 0
      state.lastTurn = now
      return state.vainTurns > Self.timeout
    }
    if isSpinning {
      network.trace.complain(
        "\(process.name) spins: it wants to wake \(now.milliseconds(since: moment)) ms ago, and has nothing to do"
      )
    }
    return isSpinning
  }

  private func take(atMost limit: Int) -> [Delivery] {
    state.withLock { state in
      let told = state.notices.popFirst(atMost: limit)
      let burst = state.queue.popFirst(atMost: limit - told.before.count - told.after.count)
      return told.before + burst.map(Delivery.envelope) + told.after
    }
  }

  func put(_ envelope: Envelope) {
    wake { $0.queue.append(envelope) }
  }

  func put(_ notice: LaneNotice) {
    wake { $0.notices.add(notice) }
  }

  func note(_ notice: LaneNotice) async {
    put(notice)
  }

  private func wake(_ change: (inout State) -> Void) {
    let reader: Waiter? = state.withLock { state in
      guard !state.isClosed else { return nil }
      change(&state)
      return state.reader
    }
    reader?.wake()
  }

  func close() async {
    vanish()
  }

  func vanish() {
    let reader: Waiter? = state.withLock { state in
      state.isClosed = true
      return state.reader
    }
    reader?.wake()
    network.unbound(self)
  }
}
