package import Pipeline

/// What all workers of a fleet have to be: able to read the aggregator's frames. A pure value.
///
/// Versions of the program may differ, so that a fleet can be upgraded one process after the other.
package struct FleetRule: Sendable {
  private let own: WorkerProgram

  /// - Parameter program: The aggregator's; of an empty version to allow any worker.
  package init(of program: WorkerProgram) {
    own = program
  }

  /// Whether a worker belongs to its fleet.
  package func verdict(on hello: Hello) -> MemberVerdict {
    guard !own.version.isEmpty else { return .compatible }
    guard let program = hello.program else {
      return .refused("it says nothing of itself")
    }
    guard program.wire >> 8 == own.wire >> 8 else {
      return .refused(
        "it writes frames of version \(program.wireText), and the aggregator \(own.wireText)")
    }
    return .compatible
  }
}

/// Whether a worker may work for its fleet.
package enum MemberVerdict: Hashable, Sendable {
  case compatible
  /// It gets nothing new, and ends when it has finished.
  case draining
  /// It gets nothing to do, for this reason.
  case refused(String)

  /// As the status names it.
  package var name: String {
    switch self {
    case .compatible: "compatible"
    case .draining: "draining"
    case .refused: "refused"
    }
  }

  package var reason: String? { if case .refused(let reason) = self { reason } else { nil } }
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
