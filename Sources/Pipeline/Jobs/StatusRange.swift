/// HTTP statuses as users write them: `403`, or `200..=299`.
public struct StatusRange: Hashable, Sendable {
  private static let all = 100...599

  private let statuses: ClosedRange<Int>

  /// nil for what is neither a status nor a range of them.
  public init?(_ text: String) {
    let ends = text.split(separator: "..=", omittingEmptySubsequences: false).map { Self.status($0) }
    guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first <= last else {
      return nil
    }
    statuses = first...last
  }

  private static func status(_ text: Substring) -> Int? {
    guard text.utf8.count == 3, let number = Int(text), all.contains(number) else { return nil }
    return number
  }

  public func contains(_ status: Int) -> Bool { statuses.contains(status) }

  /// The same for the same statuses.
  public var text: String {
    statuses.count == 1 ? "\(statuses.lowerBound)" : "\(statuses.lowerBound)..=\(statuses.upperBound)"
  }
}
