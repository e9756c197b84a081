import Pipeline
import Posix
import ZeroMQ

/// A PULL socket that is bound, and whatever the process's own lanes have to tell.
///
/// The socket is emptied at once, also while the role is busy: what waits is bounded here, and the library never stops
/// to read, as 4.3.4 aborts when a peer dies meanwhile.
actor ZeroMQInbox: Inbox {
  nonisolated let address: Address
  private let shared: ZeroMQContext
  private let endpoint: Endpoint
  private let name: String
  /// What it proves itself with, for as long as it is there; nil for that of its process, and without keys.
  private let pair: CurveKeyPair?
  /// As the library calls it.
  private let boundTo: String
  /// How often it was bound anew.
  private var generation = 0
  /// Nil after `close`, which cuts the lanes that lead here.
  private var socket: MonitoredSocket?
  private var claim: PathClaim?
  private var notices = LaneNotices()
  private var alarm = Alarm()
  private var closing: Task<Void, Never>?
  private var refused = RefusedFrames()
  private var waiting: WaitingFrames<Frame>
  private var reader: CheckedContinuation<Void, Never>?
  private var newConnections: NewConnections
  /// When to look whether its path is still there.
  private var nextLook: Moment
  /// That the library has given the address back.
  private var unbound = Promise<Void>()

  init(_ address: Address, _ endpoint: Endpoint, name: String, in shared: ZeroMQContext)
    throws(TransportError)
  {
    (self.shared, self.endpoint, self.name) = (shared, endpoint, name)
    waiting = WaitingFrames(room: shared.settings.inboxBytes)
    nextLook = shared.laneClock.now.advanced(byMilliseconds: LaneConstants.pathLook)
    if case .ipc(let path) = endpoint { claim = try PathClaim(path, for: address) }
    let curve = endpoint.isTCP ? shared.curve.value : nil
    newConnections = NewConnections(withKeys: curve != nil)
    pair = curve.flatMap { $0.isAggregator ? nil : CurveKeyPair.generate() }
    do {
      let socket = try Self.makeSocket(
        boundTo: endpoint.boundText, for: endpoint, provenBy: pair, name: name, in: shared)
      self.socket = socket
      boundTo = try socket.main.socket.lastEndpoint()
    } catch {
      throw shared.unusable(endpoint, error)
    }
    self.address = Self.reachable(endpoint, as: address, boundTo: boundTo, pair?.publicKey, shared.settings)
  }

  deinit {
    alarm.cancel()
  }

  func receive(atMost limit: Int, until moment: Moment?) async throws -> [Delivery] {
    while true {
      guard closing == nil, let socket else { throw TransportError.closed(address) }
      keepPath(of: socket.main.socket)
      let hasMore = waiting.isEmpty ? try fill(from: socket.main.socket) : false
      let taken = take(atMost: max(1, limit))
      // The library tells only once of what it holds: the rest is taken from it while the role is busy.
      if hasMore { socket.main.watch.wake() }
      if !taken.isEmpty { return taken }
      try Task.checkCancellation()
      if let moment, shared.clock.now >= moment { return [] }
      if hasMore {
        // Nothing but refused frames so far: others get their turn.
        await Task.yield()
        continue
      }
      if let moment { alarm.set(for: moment, shared.clock) { [watch = socket.main.watch] in watch.wake() } }
      await somethingToSee(socket.main.watch)
    }
  }

  /// Locks and binds the path again when something, such as a cleaner of temporary files, has removed it. The lanes that
  /// are up stay.
  private func keepPath(of socket: borrowing Socket) {
    guard case .ipc(let path) = endpoint, shared.laneClock.now >= nextLook else { return }
    nextLook = shared.laneClock.now.advanced(byMilliseconds: LaneConstants.pathLook)
    claim?.makeAgain()
    // Asked for in a way that the sandbox allows too.
    guard (try? FileFacts(at: path) == nil) ?? false, isDirectory(PathClaim.directory(of: path)) else {
      return
    }
    let isBound = (try? socket.bind(boundTo)) != nil
    shared.log.record(
      .warning, "a socket was removed", [LogField("inbox", address), LogField("made again", isBound)])
    // A decoder may not from its sandbox: it ends, and what started it starts it again.
    if !isBound { closing = closing ?? Task { await release() } }
  }

  /// Empties the socket whenever something comes, until the inbox is closed or released.
  func follow() {
    guard let watch = socket?.main.watch, let monitor = socket?.monitor.watch else { return }
    Task { [weak self] in
      repeat { await self?.lookAtEvents() } while await monitor.wait()
    }
    Task { [weak self] in
      repeat {
        while await self?.look() == true { await Task.yield() }
      } while await watch.wait()
      await self?.wakeReader()
    }
  }

  func note(_ notice: LaneNotice) {
    guard closing == nil else { return }
    notices.add(notice)
    socket?.main.watch.wake()
  }

  func close() async {
    let task = closing ?? Task { await release() }
    closing = task
    await task.value
  }

  private func take(atMost limit: Int) -> [Delivery] {
    let told = notices.popFirst(atMost: limit)
    var taken = told.before
    let room = limit - told.after.count
    var bytes = 0
    while taken.count < room, bytes < LaneConstants.mostBytesAtOnce, let frame = waiting.popFirst() {
      bytes += frame.count
      do throws(FrameError) {
        guard let bytes = shared.settings.frames.map({ $0(frame.bytes) }) ?? frame.bytes else { continue }
        var envelope = try EnvelopeCodec.decode(bytes)
        if endpoint.isTCP, shared.curve.value != nil { envelope.rights = LaneRights(ofSenderOf: frame) }
        if case .hello = envelope.message { envelope.peer = frame.property("Peer-Address") }
        taken.append(.envelope(envelope))
      } catch {
        refused.count += 1
        shared.log.record(
          .debug, "frame refused",
          [LogField("inbox", address), LogField("cause", "\(error)"), LogField("count", refused.count)])
      }
    }
    return taken + told.after
  }

  /// - Returns: Whether there is more than is taken at once.
  private func look() -> Bool {
    defer { wakeReader() }
    guard closing == nil, let socket else { return false }
    // What is wrong with the socket, the role's next look tells.
    return (try? fill(from: socket.main.socket)) ?? false
  }

  /// - Returns: Whether there is more than is taken at once.
  private func fill(from socket: borrowing Socket) throws -> Bool {
    var looked = 0
    while looked < LaneConstants.mostFramesAtOnce, let frame = try socket.receive() {
      looked += 1
      guard refused.isWhole(frame) else { continue }
      if frame.count <= waiting.largest {
        waiting.add(frame, bytes: frame.count)
      } else {
        waiting.dropped += 1
        tellDropped()
      }
    }
    return try socket.readiness().contains(.toReceive)
  }

  /// At the first one, and whenever there are twice as many.
  private func tellDropped() {
    guard waiting.dropped.nonzeroBitCount == 1 else { return }
    shared.log.record(
      .warning, "the inbox is full: dropping messages that a peer sends without credit",
      [
        LogField("inbox", address), LogField("bytes", waiting.bytes),
        LogField("dropped", waiting.dropped),
      ])
  }

  /// Until there may be something new, or the wait is cancelled.
  private func somethingToSee(_ watch: Watch) async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if Task.isCancelled {
          continuation.resume()
        } else {
          wakeReader()
          reader = continuation
        }
      }
    } onCancel: {
      watch.wake()
    }
  }

  private func wakeReader() {
    reader?.resume()
    reader = nil
  }

  /// The library gives the address back in the background; until then no other inbox may have it.
  private func release() async {
    alarm.cancel()
    guard let socket else { return }
    socket.main.watch.stop()
    wakeReader()
    if (try? socket.main.socket.unbind(boundTo)) != nil { await waitUntilUnbound() }
    self.socket = nil
    claim = nil
  }

  private func waitUntilUnbound() async {
    let clock = shared.laneClock
    let deadline = Task { [unbound] in
      try await clock.sleep(until: clock.now.advanced(byMilliseconds: LaneConstants.longestUnbind))
      unbound.keep(())
    }
    await unbound.value
    deadline.cancel()
  }

  private func lookAtEvents() async {
    for event in socket?.takeEvents() ?? [] {
      switch event.kind {
      case .accepted: newConnections.accepted(event.value, at: address, shared.log)
      case .protocolRefused: newConnections.refused()
      case .disconnected:
        guard let stranger = newConnections.gone(event.value) else { break }
        await shared.authenticator?.refusedStranger(at: stranger)
      case .closed, .closeFailed: unbound.keep(())
      default: break
      }
    }
  }

  private static func makeSocket(
    boundTo text: String, for endpoint: Endpoint, provenBy pair: CurveKeyPair?, name: String,
    in shared: ZeroMQContext
  ) throws -> MonitoredSocket {
    // Only users who may enter its directory reach a Unix socket.
    let peers: LaneEvents = endpoint.isTCP ? [.accepted, .protocolRefused, .disconnected] : []
    let socket = try MonitoredSocket(
      try shared.inboxSocket(for: endpoint, provenBy: pair), events: peers.union([.closed, .closeFailed]),
      name: name, in: shared)
    try socket.main.socket.bind(text)
    return socket
  }

  private static func reachable(
    _ endpoint: Endpoint, as address: Address, boundTo: String, _ key: CurveKey?, _ settings: ZeroMQSettings
  ) -> Address {
    let proof = key.map { Endpoint.keyMark + $0.z85 } ?? ""
    guard case .tcp(let host, let port, _) = endpoint, port == 0 || endpoint.isWildcard,
      let colon = boundTo.lastIndex(of: ":")
    else { return Address(address.text + proof) }
    let reachable = endpoint.isWildcard ? settings.advertisedHost ?? host : host
    return Address("tcp://\(reachable)\(boundTo[colon...])\(proof)")
  }
}

// With other keys.
extension ZeroMQInbox {
  /// Cuts all lanes that lead here over TCP: those that may still come in come again by themselves. What arrived is kept, and
  /// what was on its way is repeated as after any broken connection.
  func bindAnew() async {
    guard closing == nil, endpoint.isTCP, let old = socket,
      (try? old.main.socket.unbind(boundTo)) != nil
    else { return }
    await waitUntilUnbound()
    unbound = Promise()
    for attempt in 1...LaneConstants.bindingAttempts where closing == nil {
      do {
        let fresh = try Self.makeSocket(
          boundTo: boundTo, for: endpoint, provenBy: pair, name: "\(name)-\(generation + 1)", in: shared)
        generation += 1
        while try fill(from: old.main.socket) { await Task.yield() }
        guard closing == nil else { return }
        socket = fresh
        old.main.watch.stop()
        // It would wake the old socket's watch, at which no role waits any more.
        alarm.cancel()
        follow()
        return wakeReader()
      } catch {
        shared.log.record(
          attempt == LaneConstants.bindingAttempts ? .error : .debug, "inbox not bound anew",
          [LogField("inbox", address), LogField("cause", "\(error)")])
      }
      try? await shared.laneClock.sleep(
        until: shared.laneClock.now.advanced(byMilliseconds: LaneConstants.bindingWait))
    }
    // Somebody else has the port: the role ends, and what started it starts it again.
    await close()
  }
}

/// What came in and was no message of ours.
private struct RefusedFrames {
  var count = 0
  private var isInsideMessage = false

  /// Our messages have one part. All parts of another one are refused together.
  mutating func isWhole(_ frame: Frame) -> Bool {
    defer { isInsideMessage = frame.hasMore }
    guard isInsideMessage || frame.hasMore else { return true }
    if !isInsideMessage { count += 1 }
    return false
  }
}
