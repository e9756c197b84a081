package import Pipeline

/// What all workers of a fleet have to be: able to read the aggregator's frames.
extension WorkerProgram {
  /// Why a worker does not belong to the fleet of this aggregator; nil when it does.
  ///
  /// Versions of the program may differ, so that a fleet can be upgraded one process after the other. An aggregator of an
  /// empty version allows any worker.
  func difference(of worker: WorkerProgram?) -> String? {
    guard !version.isEmpty else { return nil }
    guard let worker else { return "it says nothing of itself" }
    guard worker.wire >> 8 == wire >> 8 else {
      return "it writes frames of version \(worker.wireText), and the aggregator \(wireText)"
    }
    return nil
  }
}

/// Whether a worker may work for its fleet, as the status names it.
enum MemberVerdict: String, Sendable {
  case compatible
  /// It gets nothing new, and ends when it has finished.
  case draining
  /// It gets nothing to do.
  case refused
}

extension String {
  /// What a stranger says of itself, fit for a log and a report.
  package var printed: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { (0x20...0x7E).contains($0.value) }))
  }
}

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
