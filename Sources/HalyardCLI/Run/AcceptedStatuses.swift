import Pipeline

/// The statuses that `--accept` counts as a success.
struct AcceptedStatuses: Hashable, Sendable {
  let ranges: [StatusRange]

  init(_ texts: [String]) throws(ValueProblem) {
    ranges = try texts.map { text throws(ValueProblem) in
      guard let range = StatusRange(text) else {
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

  func contains(_ status: Int64) -> Bool { ranges.contains { $0.contains(Int(clamping: status)) } }
}
