import Pipeline

/// Answers that are kept for later jobs.
enum CacheOption {
  private static let times: ClosedRange<Int64> = 0...CacheRule.longestMilliseconds

  static let cache = Option<Int64?>(
    "--cache TIME", .limits, [.variable, .fleets], .integer(times, as: .time),
    "Fetch no link again that was fetched less than TIME ago; its row has the earlier findings")

  static let failures = Option<Int64?>(
    "--cache-failures TIME", .limits, [.variable, .fleets],
    .integer(times, as: .time, default: "a tenth of --cache"),
    "The same time for links that failed permanently, or answered with 4xx or 5xx")

  static let file = Option<String?>(
    "--cache-file FILE", .limits, [.variable, .fleets], .file,
    "Store findings in FILE; else in the --ledger, or in ~/.cache/halyard/results.db")
}
