import JSONQuery
import Pipeline

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

extension NumberedRow {
  /// The address whose refusal ended the job.
  var blockedPlace: String? {
    guard failure == .blockedAddress else { return nil }
    return try? JSONValue(row: json)["error"]?["refused_address"]?.string
  }
}
