package import HTTPMessages

/// What the holders of tokens have asked for lately.
package struct AccessRates: Sendable {
  private struct Key: Hashable {
    var name: String
    /// nil for all requests of the holder.
    var host: String?
  }

  private var buckets: [Key: TokenBucket] = [:]
  /// With more, those are forgotten that say no more than new ones.
  private static let most = 10_000

  package init() {}

  /// - Returns: Why not now; nil when it may ask.
  package mutating func asks(_ holder: AccessTokens.Holder, at now: Milliseconds) -> Problem? {
    let new = TokenBucket(burst: Int(10 * holder.perSecond), perSecond: holder.perSecond, at: now)
    return take(Key(name: holder.name), new, at: now, "asks more than \(holder.perSecond) times a second")
  }

  /// - Returns: Why not now; nil when a link of the host may be fetched for it.
  package mutating func fetches(
    _ host: String, for holder: AccessTokens.Holder, at now: Milliseconds
  ) -> Problem? {
    let most = holder.perHostAndMinute
    let new = TokenBucket(burst: Int(most), perSecond: most / 60, at: now)
    let key = Key(name: holder.name, host: host)
    return take(key, new, at: now, "wants more than \(most) links of \(host) a minute")
  }

  private mutating func take(
    _ key: Key, _ new: TokenBucket, at now: Milliseconds, _ words: String
  ) -> Problem? {
    if buckets.count >= Self.most { buckets = buckets.filter { !$0.value.isFull(at: now) } }
    let seconds = buckets[key, default: new].take(at: now)
    return seconds.map {
      Problem("too-many-requests", 429, "\(key.name) \(words)", isRetryable: true, retryAfter: $0)
    }
  }
}
