import Pipeline

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
        key: peer.key, address: peer.address, times: entry.times, millisecondsAgo: now - entry.lastAt)
    }
    return RefusalReport(total: total, peers: reported)
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
