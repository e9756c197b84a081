import Pipeline
import Posix
import ZeroMQ

/// Answers the library's question whether a client may come in. No client comes in while it does not.
actor CurveAuthenticator {
  /// The name under which inboxes put their clients before it.
  static let domain = "halyard"
  /// Where the library looks for it.
  private static let endpoint = "inproc://zeromq.zap.01"

  private var allowed: [CurveKey: LaneRights]
  private let socket: WatchedSocket
  private nonisolated let watch: Watch
  private let log: any Log
  /// To all others only members of their fleet come.
  private let isAggregator: Bool
  private var refused = RefusedPeers()

  init(
    _ curve: CurveSettings, in context: Context, _ watcher: ReadinessWatcher, log: any Log
  ) throws {
    (allowed, isAggregator) = (curve.allowed, curve.isAggregator)
    self.log = log
    let socket = try Socket(.reply, in: context)
    try socket.set(.linger(0))
    try socket.bind(Self.endpoint)
    self.socket = try WatchedSocket(socket, watcher)
    watch = self.socket.watch
  }

  /// Lets in these clients from now on; those that are in already stay as long as their lanes.
  func allow(_ keys: [CurveKey: LaneRights]) {
    allowed = keys
  }

  var refusals: RefusalReport {
    refused.report(atMilliseconds: SystemTime.monotonicMicroseconds / 1_000)
  }

  /// Answers as long as it is referenced.
  nonisolated func open() {
    Task { [weak self, watch] in
      repeat { await self?.answerAll() } while await watch.wait()
    }
  }

  private func answerAll() {
    do {
      repeat {
        while let request = try receive() { try answer(request) }
      } while try socket.socket.readiness().contains(.toReceive)
    } catch {
      log.record(.error, "clients cannot be let in", [LogField("cause", "\(error)")])
    }
  }

  private func receive() throws -> [[UInt8]]? {
    guard var frame = try socket.socket.receive() else { return nil }
    var parts = [frame.bytes]
    while frame.hasMore, let next = try socket.socket.receive() {
      parts.append(next.bytes)
      frame = next
    }
    return parts
  }

  /// A request is: version, id, domain, address, identity, mechanism, credentials. An answer is: version, id, status,
  /// text, user, metadata. The library shows the user with every frame of the connection: it says what the client may say.
  private func answer(_ request: [[UInt8]]) throws {
    let rights = rights(request)
    let (status, text) = rights != nil ? ("200", "OK") : ("400", "not in the list of allowed keys")
    let parts = [
      Array("1.0".utf8), request.count > 1 ? request[1] : [], Array(status.utf8), Array(text.utf8),
      rights.map { Array($0.user.utf8) } ?? [], [],
    ]
    for (index, part) in parts.enumerated() {
      _ = try socket.socket.send(part, hasMore: index < parts.count - 1)
    }
    if rights == nil { tellRefused(request) }
  }

  private func tellRefused(_ request: [[UInt8]]) {
    let address = request.count > 3 ? String(decoding: request[3], as: UTF8.self) : "unknown"
    // The public half, as it stands in a list of allowed keys.
    let key = request.count == 7 ? CurveKey(bytes: request[6])?.z85 : nil
    tellRefused(
      RefusedPeers.Peer(address: address, key: key),
      isAggregator
        ? "client refused: its key is not among the allowed ones"
        : "sender refused: its key is not known here; after a change of keys, start again with the new ones")
  }

  /// One that never came to show a key.
  func refusedStranger(at address: String) {
    tellRefused(
      RefusedPeers.Peer(address: address, key: nil),
      isAggregator
        ? "client refused: it has no key, or expects another one of this fleet"
        : "sender refused: it has no key, or expects another one here")
  }

  private func tellRefused(_ peer: RefusedPeers.Peer, _ words: StaticString) {
    let now = SystemTime.monotonicMicroseconds / 1_000
    guard let times = refused.refused(peer, atMilliseconds: now) else { return }
    log.record(
      .warning, words,
      [
        LogField("address", peer.address), LogField("key", peer.key ?? "none"), LogField("times", times),
      ])
  }

  /// nil for one that may not come in.
  private func rights(_ request: [[UInt8]]) -> LaneRights? {
    guard request.count == 7, request[2] == Array(Self.domain.utf8), request[5] == Array("CURVE".utf8),
      let key = CurveKey(bytes: request[6])
    else { return nil }
    return allowed[key]
  }
}

extension LaneRights {
  /// The library's name of what is in `user`.
  private static let property = "User-Id"

  fileprivate var user: String { "\(rawValue)" }

  /// Those of the client that sent a frame; none when the library does not say.
  init(ofSenderOf frame: Frame) {
    self.init(rawValue: frame.property(Self.property).flatMap { UInt8($0) } ?? 0)
  }
}
