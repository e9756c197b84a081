import FoundationEssentials

/// The seeds of a test run: `HALYARD_SEEDS=FROM-TO` chooses others than the default.
enum SeedRange {
  static let defaultRange: ClosedRange<UInt64> = 0...1_999

  struct Unreadable: Error {
    var text: String
  }

  static func wanted() throws -> ClosedRange<UInt64> {
    guard let text = ProcessInfo.processInfo.environment["HALYARD_SEEDS"] else { return defaultRange }
    let ends = text.split(separator: "-").compactMap { UInt64($0) }
    guard let from = ends.first, let to = ends.last, ends.count <= 2, from <= to else {
      throw Unreadable(text: "HALYARD_SEEDS=\(text) is no range like 0-1999")
    }
    return from...to
  }
}
