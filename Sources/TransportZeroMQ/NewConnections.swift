import Pipeline
import Posix

/// Sees to it that connections of strangers, which cost a descriptor each, are few at a time.
struct NewConnections {
  /// The protocol's greeting, and with keys its WELCOME and the ERROR for a key that is not allowed. What is said to members
  /// is longer.
  private let bytesForStrangers: UInt64
  /// The library's timer may be late.
  private static let longestMilliseconds = Int64(LaneConstants.handshake) + 1_000

  private var peers = PendingPeers<PeerConnection>(longestMilliseconds: Self.longestMilliseconds)
  private var cut = 0
  /// One was refused before it showed a key, and is not told as gone yet.
  private var hasRefused = false

  init(withKeys: Bool) {
    bytesForStrangers = 64 + (withKeys ? 170 + 12 : 0)
  }

  mutating func accepted(_ descriptor: Int32, at inbox: Address, _ log: any Log) {
    guard let peer = PeerConnection(descriptor: descriptor) else { return }
    let excess = peers.accepted(
      peer, from: peer.network, atMilliseconds: SystemTime.monotonicMicroseconds / 1_000
    ) { $0.acknowledgedBytes > bytesForStrangers }
    guard let excess else { return }
    excess.cut()
    cut += 1
    // At the first one, and whenever there are twice as many.
    guard cut.nonzeroBitCount == 1 else { return }
    log.record(
      .warning, "connections that did not say who they are were closed",
      [LogField("inbox", inbox), LogField("address", excess.host), LogField("closed", cut)])
  }

  /// The library tells of a connection first that it is refused, and then that it is gone.
  mutating func refused() { hasRefused = true }

  /// The descriptor may be another connection's by now.
  ///
  /// - Returns: Where it came from, when it was refused.
  mutating func gone(_ descriptor: Int32) -> String? {
    let gone = peers.gone { $0.descriptor == descriptor && !$0.isThere }
    return exchange(&hasRefused, with: false) ? gone.first?.host ?? "unknown" : nil
  }
}

/// Connections that came in lately and may not have proven yet who they are. The library cuts them after the time for
/// that, which does not bound how many there are. A pure value.
struct PendingPeers<Peer: Hashable> {
  /// Connections of one address.
  static var mostOfOne: Int { 64 }
  static var most: Int { 1_024 }

  private struct Entry {
    var peer: Peer
    var network: [UInt64]
    var at: Int64
  }

  /// The oldest first.
  private var entries: [Entry] = []
  private let longestMilliseconds: Int64

  /// - Parameter longestMilliseconds: What is still there after that has proven it.
  init(longestMilliseconds: Int64) {
    self.longestMilliseconds = longestMilliseconds
  }

  /// - Parameter isMember: Whether a connection has proven who it is; asked only when there are too many.
  /// - Returns: What is to be cut: the oldest, because a member proves itself within milliseconds.
  mutating func accepted(
    _ peer: Peer, from network: [UInt64], atMilliseconds now: Int64, isMember: (Peer) -> Bool
  ) -> Peer? {
    let old = entries.prefix { now - $0.at > longestMilliseconds }.count
    entries.removeFirst(old)
    // What is told of a connection that is gone may be told when its descriptor is this one's.
    guard !entries.contains(where: { $0.peer == peer }) else { return nil }
    entries.append(Entry(peer: peer, network: network, at: now))
    guard oldestOfTooMany(network) != nil else { return nil }
    entries.removeAll { isMember($0.peer) }
    return oldestOfTooMany(network).map { entries.remove(at: $0).peer }
  }

  @discardableResult
  mutating func gone(where matches: (Peer) -> Bool) -> [Peer] {
    defer { entries.removeAll { matches($0.peer) } }
    return entries.map(\.peer).filter(matches)
  }

  private func oldestOfTooMany(_ network: [UInt64]) -> Int? {
    if entries.count > Self.most { return 0 }
    guard entries.count > Self.mostOfOne, entries.count(where: { $0.network == network }) > Self.mostOfOne
    else { return nil }
    return entries.firstIndex { $0.network == network }
  }
}

/// Which clients were refused, so that each is told now and then and not with every attempt. A pure value.
struct RefusedPeers {
  struct Peer: Hashable {
    var address: String
    /// Its public key; nil when it has none.
    var key: String?
  }

  private struct Entry {
    /// When it was told last, and how often it was refused since.
    var toldAt: Int64
    var since = 0
    var times: UInt64 = 1
    var lastAt: Int64
  }

  static let pauseMilliseconds: Int64 = 60_000
  static let most = 256
  /// Peers that a report names.
  static let mostReported = 20

  private var peers: [Peer: Entry] = [:]
  /// Of those that find no place.
  private var others: Entry?
  private var total: UInt64 = 0

  /// - Returns: How often it was refused since it was told last; nil when it is not to be told now.
  mutating func refused(_ peer: Peer, atMilliseconds now: Int64) -> Int? {
    total += 1
    if peers[peer] == nil, peers.count >= Self.most {
      peers = peers.filter { now - $0.value.lastAt < Self.pauseMilliseconds }
    }
    guard peers[peer] != nil || peers.count < Self.most else { return Self.count(&others, now) }
    return Self.count(&peers[peer], now)
  }

  /// The last ones, the newest first.
  func report(atMilliseconds now: Int64) -> RefusalReport {
    let last = peers.sorted { ($1.value.lastAt, $0.key.address) < ($0.value.lastAt, $1.key.address) }
    let reported = last.prefix(Self.mostReported).map { peer, entry in
      RefusalReport.Peer(
        key: peer.key, address: peer.address, times: entry.times, msAgo: now - entry.lastAt)
    }
    return RefusalReport(total: total, latest: reported)
  }

  private static func count(_ entry: inout Entry?, _ now: Int64) -> Int? {
    guard var known = entry else {
      entry = Entry(toldAt: now, lastAt: now)
      return 1
    }
    known.times += 1
    known.since += 1
    known.lastAt = now
    let isDue = now - known.toldAt >= pauseMilliseconds
    let since = known.since
    if isDue { (known.toldAt, known.since) = (now, 0) }
    entry = known
    return isDue ? since : nil
  }
}

/// The lanes of one kind that are there.
struct LiveLanes<Lane: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak let lane: Lane?
  }

  private var entries: [Entry] = []
  /// Looked through for those that are gone when there are so many.
  private var sweepAt = 16

  mutating func add(_ lane: Lane) {
    entries.append(Entry(lane: lane))
    guard entries.count >= sweepAt else { return }
    entries.removeAll { $0.lane == nil }
    sweepAt = max(16, 2 * entries.count)
  }

  var all: [Lane] { entries.compactMap(\.lane) }
}
