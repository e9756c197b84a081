/// Which clients were refused, so that each is told now and then and not with every attempt. A pure value.
struct RefusedPeers {
  struct Peer: Hashable {
    var address: String
    /// The beginning of its public key; nil when it has none.
    var key: String?
  }

  static let pauseMilliseconds: Int64 = 60_000
  static let most = 256

  private var told: [Peer: (at: Int64, since: Int)] = [:]
  /// Of those that find no place.
  private var others: (at: Int64, since: Int)?

  /// - Returns: How often it was refused since it was told last; nil when it is not to be told now.
  mutating func refused(_ peer: Peer, atMilliseconds now: Int64) -> Int? {
    if told[peer] == nil, told.count >= Self.most {
      told = told.filter { now - $0.value.at < Self.pauseMilliseconds }
    }
    guard told[peer] != nil || told.count < Self.most else { return Self.count(&others, now) }
    return Self.count(&told[peer], now)
  }

  private static func count(_ entry: inout (at: Int64, since: Int)?, _ now: Int64) -> Int? {
    let since = (entry?.since ?? 0) + 1
    guard let last = entry?.at, now - last < pauseMilliseconds else {
      entry = (now, 0)
      return since
    }
    entry?.since = since
    return nil
  }
}
