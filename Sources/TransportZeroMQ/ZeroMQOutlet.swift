import Pipeline
import Posix
import ZeroMQ

/// A PUSH socket that connects to one inbox, again and again while there is none.
actor ZeroMQOutlet: Outlet {
  private let address: Address
  private let endpoint: Endpoint
  private let name: String
  private let shared: ZeroMQContext
  private let inbox: (any Inbox)?
  private nonisolated let health = Lock(LaneHealth())
  /// Nil after `close`.
  private var lane: MonitoredSocket?
  private var generation = 0
  private var isUp = false
  private var wasUp = false
  /// How often the receiver turned out to have another key than expected.
  private var keyAttempts = 0
  private var breakOffs = BreakOffs()
  private var untold: [LaneNotice] = []
  private var isTelling = false
  private var isSending = false
  private var turns = FIFO<CheckedContinuation<Void, Never>>()
  private var renewal: Task<Void, any Error>?

  init(
    _ address: Address, _ endpoint: Endpoint, name: String, notifying inbox: (any Inbox)?,
    in shared: ZeroMQContext
  ) throws(TransportError) {
    self.address = address
    self.endpoint = endpoint
    self.name = name
    self.shared = shared
    self.inbox = inbox
    lane = try Self.makeLane(to: endpoint, name: "\(name)-0", attempt: 0, in: shared)
  }

  deinit {
    renewal?.cancel()
  }

  func send(_ burst: [Envelope]) async throws {
    var refusal: TransportError?
    try await takeTurn()
    defer {
      isSending = false
      wakeTurns()
    }
    for envelope in burst {
      let frame: [UInt8]
      do throws(FrameTooLarge) {
        frame = try EnvelopeCodec.encode(envelope)
      } catch {
        refusal = refusal ?? .tooLarge(bytes: error.bytes, limit: error.limit)
        continue
      }
      if let change = shared.settings.frames {
        if let changed = change(frame) { try await push(changed) }
      } else {
        try await push(frame)
      }
      // A sender of a goodbye is about to close, and wants it to arrive.
      if case .bye = envelope.message { try? lane?.main.socket.set(.linger(LaneConstants.farewell)) }
    }
    if let refusal { throw refusal }
  }

  nonisolated func receiverSpoke() {
    let now = shared.laneClock.now
    if health.withLock({ $0.receiverSpoke(at: now) }) { Task { await renew("it was mute") } }
  }

  func close() {
    // A sender that waits holds on to the lane until it is woken.
    lane?.main.watch.stop()
    lane?.monitor.watch.stop()
    lane = nil
    renewal?.cancel()
    wakeTurns()
  }

  private func push(_ frame: [UInt8]) async throws {
    while true {
      guard let lane else { throw TransportError.closed(address) }
      if try lane.main.socket.send(frame) {
        health.withLock { $0.cleared() }
        return
      }
      if try lane.main.socket.readiness().contains(.toSend) { continue }
      guard !Task.isCancelled else {
        health.withLock { $0.cleared() }
        throw CancellationError()
      }
      let now = shared.laneClock.now
      health.withLock { $0.blocked(at: now) }
      _ = await lane.main.watch.wait()
    }
  }
}

// One burst at a time: they stay whole, and one task at most waits for the socket.
extension ZeroMQOutlet {
  private func takeTurn() async throws {
    while isSending {
      try Task.checkCancellation()
      guard lane != nil else { throw TransportError.closed(address) }
      await waitForTurn()
    }
    isSending = true
  }

  private func waitForTurn() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume()
        } else {
          turns.append(continuation)
        }
      }
    } onCancel: {
      Task { await self.wakeTurns() }
    }
  }

  /// All of them: each looks again whether it is its turn, and whether it is still wanted.
  private func wakeTurns() {
    while let turn = turns.popFirst() { turn.resume() }
  }
}

// What the monitor saw.
extension ZeroMQOutlet {
  /// Follows the lane that is there now, until it is closed or made anew.
  func follow() {
    guard let watch = lane?.monitor.watch else { return }
    let followed = generation
    Task { [weak self] in
      repeat { await self?.look(at: followed) } while await watch.wait()
    }
  }

  private func look(at followed: Int) async {
    guard followed == generation, let lane else { return }
    for event in lane.takeEvents() {
      switch event.kind {
      case .handshakeSucceeded: isNow(up: true)
      case .protocolRefused where hasOtherKey: tryOtherKey()
      case .protocolRefused: refused("it expects other keys than this process has, or none")
      case .authenticationRefused: refused("this process's key is not among its allowed ones")
      case .disconnected where !isUp: brokeOff()
      // An inbox with a key of its own comes back with that key after a reload, and never after its process has ended.
      case .disconnected: isNow(up: false, mayBeReload: endpoint.key != nil)
      default: break
      }
    }
    await tell()
  }

  /// The receiver broke off before the lane was up. After a refusal that is no news.
  private func brokeOff() {
    if let pause = breakOffs.pause(at: shared.laneClock.now) {
      wait(milliseconds: pause)
    } else if hasOtherKey {
      tryOtherKey()
    }
    guard refusal == nil else { return }
    let hasKeys = endpoint.isTCP && shared.curve.value != nil
    note(
      refusal: hasKeys
        ? "it has another key than expected, is stopped, or is no fleet" : "it is stopped, or is no fleet")
    guard hasKeys, wasUp, endpoint.key == nil, !hasOtherKey else { return }
    shared.log.record(
      .warning, "the fleet has another key than before, or is out of reach; with a new key, start again",
      [LogField("address", address)])
  }

  /// The library would try again at once, as often as it is broken off.
  private func wait(milliseconds: Int64) {
    guard let lane else { return }
    keyAttempts += 1
    try? lane.main.socket.disconnect(endpoint.text)
    shared.log.record(
      .info, "lane waits, as its receiver breaks it off each time", [LogField("address", address)])
    dropRenewal()
    renewLater(after: milliseconds)
  }

  private func dropRenewal() {
    renewal?.cancel()
    renewal = nil
  }

  /// It is told once, until the lane is up again or something else is the cause.
  private func refused(_ cause: String) {
    defer { renewLater() }
    guard refusal != cause else { return }
    isNow(up: false)
    note(refusal: cause)
    let key = shared.curve.value?.own.publicKey.z85 ?? "none"
    shared.log.record(
      .warning,
      wasUp && endpoint.key == nil
        ? "the fleet does not accept this key any more; start again with the new one"
        : "receiver refuses the lane",
      [LogField("address", address), LogField("cause", cause), LogField("key", key)])
  }

  nonisolated var refusal: String? { health.withLock { $0.refusal } }

  private nonisolated func note(refusal: String?) { health.withLock { $0.refusal = refusal } }

  private func isNow(up: Bool, mayBeReload: Bool = false, isOwn: Bool = false) {
    if up {
      wasUp = true
      breakOffs = BreakOffs()
      note(refusal: nil)
    }
    guard isUp != up else { return }
    isUp = up
    let notice = LaneNotice(address: address, isUp: up, mayBeReload: mayBeReload, isOwn: isOwn)
    if inbox != nil { untold.append(notice) }
  }

  /// One after another, so that the last one told is the last one seen.
  private func tell() async {
    guard !isTelling, let inbox else { return }
    isTelling = true
    while !untold.isEmpty { await inbox.note(untold.removeFirst()) }
    isTelling = false
  }

  private var hasOtherKey: Bool {
    endpoint.isTCP && endpoint.key == nil && (shared.curve.value?.aggregators.count ?? 0) > 1
  }

  /// The receiver broke off before the lane was up, as one does that has another key than expected.
  private func tryOtherKey() {
    guard renewal == nil else { return }
    keyAttempts += 1
    renewLater(after: LaneConstants.otherKeyWait)
  }

  /// This process has other keys than before.
  func renewSecured() async {
    guard endpoint.isTCP else { return }
    keyAttempts = 0
    breakOffs = BreakOffs()
    dropRenewal()
    note(refusal: nil)
    await renew("keys changed", mayBeReload: true)
  }

  /// The library gives a refused lane up for ever.
  private func renewLater(after milliseconds: Int64 = LaneConstants.refusalWait) {
    guard renewal == nil else { return }
    let clock = shared.laneClock
    let moment = clock.now.advanced(byMilliseconds: milliseconds)
    renewal = Task { [weak self] in
      try await clock.sleep(until: moment)
      await self?.renewRefused()
    }
  }

  private func renewRefused() async {
    renewal = nil
    // Its peer changed its mind, or the lane was made anew for another reason.
    if !isUp { await renew("it was refused") }
  }

  private func renew(_ cause: String, mayBeReload: Bool = false) async {
    guard lane != nil else { return }
    do {
      let fresh = try Self.makeLane(
        to: endpoint, name: "\(name)-\(generation + 1)", attempt: keyAttempts, in: shared)
      generation += 1
      // Ends the old one's wait, and the sender goes on with this one.
      lane?.main.watch.stop()
      lane?.monitor.watch.stop()
      lane = fresh
      isNow(up: false, mayBeReload: mayBeReload, isOwn: true)
      follow()
      shared.log.record(
        .info, "lane made anew", [LogField("address", address), LogField("cause", cause)])
      await tell()
    } catch {
      shared.log.record(
        .error, "lane not made", [LogField("address", address), LogField("cause", "\(error)")])
      renewLater()
    }
  }

  private static func makeLane(
    to endpoint: Endpoint, name: String, attempt: Int, in shared: ZeroMQContext
  ) throws(TransportError) -> MonitoredSocket {
    do {
      let lane = try MonitoredSocket(
        try shared.outletSocket(for: endpoint, attempt: attempt),
        events: [.handshakeSucceeded, .disconnected, .protocolRefused, .authenticationRefused],
        name: name, in: shared)
      try lane.main.socket.connect(endpoint.text)
      return lane
    } catch {
      throw shared.unusable(endpoint, error)
    }
  }
}

/// Tells a receiver that breaks off whatever comes, as one does that has another key than expected, from one that is
/// stopped. One that starts behind a port that takes all connections looks alike, so the first pauses are short.
struct BreakOffs: Sendable {
  private var inARow = 0
  private var last: Moment?
  private var pauses: Int64 = 0

  /// It broke off before the lane was up.
  ///
  /// - Returns: Until when to try again, in milliseconds; nil for at once.
  mutating func pause(at now: Moment) -> Int64? {
    let isSoon = last.map { now.milliseconds(since: $0) < LaneConstants.soon } ?? false
    (inARow, last) = (isSoon ? inARow + 1 : 1, now)
    guard inARow >= LaneConstants.mostBreakOffs else { return nil }
    inARow = 0
    pauses += 1
    return min(LaneConstants.refusalWait, LaneConstants.firstBreakOffWait << min(pauses - 1, 10))
  }
}

/// Tells a lane that is mute from one whose receiver is merely busy or away.
///
/// libzmq can leave a socket mute for good while its siblings work. What shows it: the receiver is heard, and yet
/// takes nothing from us for seconds.
struct LaneHealth: Sendable {
  private var blockedSince: Moment?
  /// Why the receiver does not let this process in; nil when it does, or was not there.
  var refusal: String?

  /// There was no room for a message.
  mutating func blocked(at now: Moment) {
    if blockedSince == nil { blockedSince = now }
  }

  /// A message went, or there is none to send, or the lane is new.
  mutating func cleared() {
    blockedSince = nil
  }

  /// The receiver was heard.
  ///
  /// - Returns: Whether the lane is to be made anew; asks for it once.
  mutating func receiverSpoke(at now: Moment) -> Bool {
    guard let since = blockedSince, now.milliseconds(since: since) >= LaneConstants.longestSilence else {
      return false
    }
    blockedSince = nil
    return true
  }
}
