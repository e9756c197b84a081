/// The statuses that `--accept` counts as a success.
struct AcceptedStatuses: Hashable, Sendable {
  private static let statuses = 100...599

  private let ranges: [ClosedRange<Int>]

  init(_ texts: [String]) throws(ValueProblem) {
    ranges = try texts.map { text throws(ValueProblem) in
      guard let range = Self.range(text) else {
        throw ValueProblem(
          words: "\(Printable.quoted(text)) is neither a status such as 403 nor a range such as 200..=299")
      }
      return range
    }
  }

  /// nil when the option is not given.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    let texts = arguments[SelectionOption.accept]
    guard !texts.isEmpty else { return nil }
    do {
      self = try AcceptedStatuses(texts)
    } catch {
      throw arguments.rejection(of: SelectionOption.accept, error.words)
    }
  }

  private static func range(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "..=", omittingEmptySubsequences: false).map { status($0) }
    guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first <= last else {
      return nil
    }
    return first...last
  }

  private static func status(_ text: Substring) -> Int? {
    guard text.utf8.count == 3, let number = Int(text), statuses.contains(number) else { return nil }
    return number
  }

  func contains(_ status: Int64) -> Bool { ranges.contains { $0.contains(Int(clamping: status)) } }
}
