package import Pipeline

/// How many workers that were not known each peer may bring. A process is one worker and a machine has some, so who brings
/// more invents them: each costs the ledger a row and every fetcher a look. A pure value.
package struct Newcomers: Sendable {
  private struct Allowance {
    var left: Int
    var at: Moment
  }

  private static let most = 64
  private static let millisecondsForEach: Int64 = 1_000
  private static let mostPeers = 1_024

  private var allowances: [String: Allowance] = [:]

  package init() {}

  /// - Parameter peer: What the transport knows of it; nil for one in this process.
  package mutating func mayBring(_ peer: String?, at now: Moment) -> Bool {
    guard let peer else { return true }
    if allowances[peer] == nil, allowances.count >= Self.mostPeers {
      allowances = allowances.filter { Self.refilled($0.value, at: now).left < Self.most }
      guard allowances.count < Self.mostPeers else { return false }
    }
    var allowance = Self.refilled(allowances[peer] ?? Allowance(left: Self.most, at: now), at: now)
    defer { allowances[peer] = allowance }
    guard allowance.left > 0 else { return false }
    allowance.left -= 1
    return true
  }

  private static func refilled(_ allowance: Allowance, at now: Moment) -> Allowance {
    let earned = max(0, now.milliseconds(since: allowance.at)) / millisecondsForEach
    let left = min(most, allowance.left + Int(clamping: min(earned, Int64(most))))
    return Allowance(
      left: left, at: allowance.at.advanced(byMilliseconds: earned * millisecondsForEach))
  }
}
