package import HTTPMessages

/// What the holders of tokens have asked for lately.
package struct AccessRates: Sendable {
  private struct HostKey: Hashable {
    var name: String
    var host: String
  }

  private var requests: [String: TokenBucket] = [:]
  private var hosts: [HostKey: TokenBucket] = [:]
  /// With more, those are forgotten that say no more than new ones.
  private static let mostHosts = 10_000

  package init() {}

  /// - Returns: Why not now; nil when it may ask.
  package mutating func asks(_ holder: AccessTokens.Holder, at now: Milliseconds) -> Problem? {
    let new = TokenBucket(burst: Int(10 * holder.perSecond), perSecond: holder.perSecond, at: now)
    let seconds = requests[holder.name, default: new].take(at: now)
    return seconds.map {
      Self.tooMany("\(holder.name) asks more than \(holder.perSecond) times a second", $0)
    }
  }

  /// - Returns: Why not now; nil when a link of the host may be fetched for it.
  package mutating func fetches(
    _ host: String, for holder: AccessTokens.Holder, at now: Milliseconds
  ) -> Problem? {
    if hosts.count >= Self.mostHosts { hosts = hosts.filter { !$0.value.isFull(at: now) } }
    let perSecond = holder.perHostAndMinute / 60
    let new = TokenBucket(burst: Int(holder.perHostAndMinute), perSecond: perSecond, at: now)
    let seconds = hosts[HostKey(name: holder.name, host: host), default: new].take(at: now)
    return seconds.map {
      Self.tooMany("\(holder.name) wants more than \(holder.perHostAndMinute) links of \(host) a minute", $0)
    }
  }

  private static func tooMany(_ detail: String, _ seconds: Int) -> Problem {
    Problem("too-many-requests", 429, detail, isRetryable: true, retryAfter: seconds)
  }
}
