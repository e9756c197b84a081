import Pipeline

/// Answers that are kept for later jobs.
enum CacheOption {
  private static let times: ClosedRange<Int64> = 0...CacheRule.longestMilliseconds

  static let cache = TypedOption<Int64?>.duration(
    label(
      "cache", "TIME",
      "Fetch no link again that was fetched less than TIME ago; its row has the earlier findings"),
    in: times)

  static let failures = TypedOption<Int64?>.duration(
    label(
      "cache-failures", "TIME", "The same time for links that failed permanently, or answered with 4xx or 5xx"
    ),
    default: "a tenth of --cache", in: times)

  static let file = TypedOption<String?>.text(
    label(
      "cache-file", "FILE",
      "Store findings in FILE; else in the --ledger, or in ~/.cache/halyard/results.db"))

  /// Options of the process that fetches.
  static let all = [cache.spec, failures.spec, file.spec]

  private static func label(_ name: String, _ placeholder: String, _ summary: String) -> OptionLabel {
    OptionLabel(
      name: name, placeholder: placeholder, group: .limits, summary: summary, fromEnvironment: true)
  }
}
