import Pipeline

/// The options of the commands that tell what became of jobs.
enum JobOption {
  static let state = TypedOption<JobState?>.choice(
    OptionLabel(name: "state", placeholder: "STATE", group: .input, summary: "Only jobs in this state"),
    default: "any")

  static let kind = TypedOption<ListedKind?>.choice(
    OptionLabel(name: "kind", placeholder: "KIND", group: .input, summary: "Only jobs of this kind"),
    default: "any")

  static let failedKind = TypedOption<[String]>.names(
    OptionLabel(
      name: "failed-kind", placeholder: "KIND,…", group: .input,
      summary: "Only jobs that failed in one of these ways: timeout,dns. Else all failed jobs"))

  static let host = TypedOption<String?>.text(
    OptionLabel(
      name: "host", placeholder: "HOST", group: .input,
      summary: "Only jobs whose links are of this host, such as example.org or example.org:8080"))

  static let batch = TypedOption<String?>.text(
    OptionLabel(
      name: "batch", placeholder: "BATCH", group: .input,
      summary: "Only jobs of this batch, by its id or name"))

  static let since = TypedOption<Int64?>.duration(
    OptionLabel(
      name: "since", placeholder: "TIME", group: .input,
      summary: "Only jobs that were submitted in the last TIME, such as 15m or 24h"),
    default: "any time", in: 1...3_650 * 24 * 3_600_000)

  static let limit = TypedOption<Int>.integer(
    OptionLabel(name: "limit", placeholder: "N", group: .output, summary: "Show at most N jobs"),
    default: 50, in: 1...1_000_000)

  static let stories = TypedOption<Int>.integer(
    OptionLabel(
      name: "limit", placeholder: "N", group: .output,
      summary: "Show at most N jobs of the link, the newest first"),
    default: 1, in: 1...1_000)
}

/// What `--state` takes.
enum JobState: String, CaseIterable, Sendable {
  case waiting
  case ready
  case leased
  case scheduled
  case done
  case failed
  case cancelled

  var phase: JobPhase {
    switch self {
    case .waiting: .waiting
    case .ready: .ready
    case .leased: .leased
    case .scheduled: .scheduled
    case .done: .done
    case .failed: .failed
    case .cancelled: .cancelled
    }
  }
}

/// What `--kind` takes.
enum ListedKind: String, CaseIterable, Sendable {
  case unfurl
  case title
  case decode
  case echo
  case run

  var kind: JobKind {
    switch self {
    case .unfurl: .unfurl
    case .title: .title
    case .decode: .decode
    case .echo: .echo
    case .run: .run
    }
  }
}
