import Posix

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
