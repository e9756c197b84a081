import JSONQuery
import Pipeline
import Scheduling

/// Tells which hosts were given up, and how many jobs that cost.
enum GivenUpText {
  /// Such as `cost 28 jobs (a.test 20, b.test 5, 2 others 3); see --give-up`.
  ///
  /// - Parameter others: How many hosts there are besides the worst; nil when that is not known.
  static func words(jobs: Int, worst: [GivenUpHosts.Host], others: Int?) -> String {
    var parts = worst.map { "\(Printable.text($0.name)) \(ProgressLine.grouped($0.jobs))" }
    let rest = worst.reduce(jobs) { $0 &- $1.jobs }
    if rest > 0 {
      let count = others.map { "\(ProgressLine.grouped($0)) " } ?? ""
      parts.append("\(count)\(others == 1 ? "other" : "others") \(ProgressLine.grouped(rest))")
    }
    let noun = jobs == 1 ? "job" : "jobs"
    return "cost \(ProgressLine.grouped(jobs)) \(noun) (\(parts.joined(separator: ", "))); see --give-up"
  }
}

extension NumberedRow {
  /// The host that was given up, where the job ended for that.
  var givenUpHost: String? {
    // No host is given up for what cannot pass, and few rows are worth looking into.
    guard let failure, failure.traits.retryClass != .never else { return nil }
    return errorMember("given_up")
  }

  /// The address whose refusal ended the job.
  var blockedPlace: String? {
    failure == .blockedAddress ? errorMember("refused_address") : nil
  }

  private func errorMember(_ name: String) -> String? { try? JSONValue(row: json)["error"]?[name]?.string }
}

/// Addresses that were refused, as `--allow-address` takes them; a few of them, because there may be as many as rows.
struct BlockedPlaces: Hashable, Sendable {
  private static let limit = 3

  private(set) var shown: [String] = []
  private(set) var hasMore = false

  mutating func add(_ place: String) {
    guard !shown.contains(place) else { return }
    if shown.count < Self.limit { shown.append(place) } else { hasMore = true }
  }

  /// What to type to reach them; nil when there are none.
  var remedy: String? {
    guard !shown.isEmpty else { return nil }
    let options = shown.map { "--allow-address \($0)" }.joined(separator: " ")
    return "allow them with \(options)\(hasMore ? " …" : "")"
  }
}
