import Pipeline

/// The options of the commands that list batches, and of those that choose jobs of them.
enum BatchOption {
  private static let longest: ClosedRange<Int64> = 1...3_650 * 24 * 3_600_000

  static let state = TypedOption<ListedBatchState?>.choice(
    OptionLabel(name: "state", placeholder: "STATE", group: .input, summary: "Only batches in this state"),
    default: "any")

  static let name = TypedOption<String?>.text(
    OptionLabel(
      name: "name", placeholder: "TEXT", group: .input, summary: "Only batches whose name contains TEXT"))

  static let since = TypedOption<Int64?>.duration(
    OptionLabel(
      name: "since", placeholder: "TIME", group: .input,
      summary: "Only batches that were first submitted in the last TIME, such as 15m or 24h"),
    default: "any time", in: longest)

  static let olderThan = TypedOption<Int64?>.duration(
    OptionLabel(
      name: "older-than", placeholder: "TIME", group: .input,
      summary: "Only batches that were first submitted before the last TIME, such as 2d"),
    in: longest)

  static let unread = TypedOption<Bool>.flag(
    OptionLabel(
      name: "unread", group: .input, summary: "Only batches with rows that no reader has confirmed"),
    negatable: false)

  static let limit = TypedOption<Int>.integer(
    OptionLabel(name: "limit", placeholder: "N", group: .output, summary: "Show at most N batches"),
    default: 50, in: 1...1_000_000)

  static let after = TypedOption<Int>.integer(
    OptionLabel(
      name: "after", placeholder: "N", group: .output,
      summary: "Skip the first N rows, in the order in which jobs finished"),
    default: 0, in: 0...Int64(UInt32.max))

  static let job = TypedOption<String?>.text(
    OptionLabel(
      name: "job", placeholder: "ID", group: .input, summary: "Only this job; 'halyard jobs' lists the ids"))

  /// Those of commands that do something with many jobs.
  static let choice = [job.spec, JobOption.host.spec, JobOption.since.spec]
}

/// What `--state` takes.
enum ListedBatchState: String, CaseIterable, Sendable {
  case open
  case complete
  case paused
  case cancelled
  case abandoned

  var state: BatchState {
    switch self {
    case .open: .open
    case .complete: .complete
    case .paused: .paused
    case .cancelled: .cancelled
    case .abandoned: .abandoned
    }
  }
}
