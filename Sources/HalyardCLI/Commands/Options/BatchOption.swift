import Pipeline

/// The options of the commands that list batches, and of those that choose jobs of them.
enum BatchOption {
  private static let longest: ClosedRange<Int64> = 1...3_650 * 24 * 3_600_000

  static let state = Option<BatchState?>(
    "--state STATE", .input, .choice(BatchState.allCases, { "\($0)" }, default: "any"),
    "Only batches in this state")

  static let name = Option<String?>("--name TEXT", .input, .text, "Only batches whose name contains TEXT")

  static let since = Option<Int64?>(
    "--since TIME", .input, .integer(longest, as: .time, default: "any time"),
    "Only batches that were first submitted in the last TIME, such as 15m or 24h")

  static let olderThan = Option<Int64?>(
    "--older-than TIME", .input, .integer(longest, as: .time),
    "Only batches that were first submitted before the last TIME, such as 2d")

  static let unread = Option<Bool>(
    "--unread", .input, .flag, "Only batches with rows that no reader has confirmed")

  static let limit = Option<Int>(
    "--limit N", .output, .integer(1...1_000_000, default: 50), "Show at most N batches")

  static let after = Option<Int>(
    "--after N", .output, .integer(0...Int64(UInt32.max), default: 0),
    "Skip the first N rows, in the order in which jobs finished")

  static let job = Option<JobID?>(
    "--job ID", .input,
    .text(parsing({ UUIDv7($0).map(JobID.init) }, otherwise: "is not the id of a job")),
    "Only this job; 'halyard jobs' lists the ids")

  /// Those of commands that do something with many jobs.
  static let choice = [OptionSpec](job, JobOption.host, JobOption.since)
}
