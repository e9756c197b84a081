import Pipeline
import Recipes

/// The options of the commands that tell what became of jobs.
enum JobOption {
  static let state = Option<JobPhase?>(
    "--state STATE", .input, .choice(JobPhase.allCases, { $0.name }, default: "any"),
    "Only jobs in this state")

  static let kind = Option<JobKind?>(
    "--kind KIND", .input, .choice(JobKind.allCases, { $0.name }, default: "any"), "Only jobs of this kind")

  static let failedKind = Option<[FailureKind]>(
    "--failed-kind KIND,…", .input, .names(failure),
    "Only jobs that failed in one of these ways: timeout,dns. Else all failed jobs")

  private static func failure(_ name: String) throws(ValueProblem) -> FailureKind {
    guard let kind = FailureKind(rawValue: name) else {
      let near = Suggestion.nearest(3, to: name, among: FailureKind.allCases.map(\.rawValue))
      throw ValueProblem(
        words:
          "\(Printable.quoted(name)) is no kind of failure; the nearest are \(near.joined(separator: ", "))")
    }
    return kind
  }

  static let host = Option<String?>(
    "--host HOST", .input, .subject, .text,
    "Only jobs whose links are of this host, such as example.org or example.org:8080")

  static let batch = Option<String?>(
    "--batch BATCH", .input, .text, "Only jobs of this batch, by its id or name")

  static let since = Option<Int64?>(
    "--since TIME", .input, .integer(1...3_650 * 24 * 3_600_000, as: .time, default: "any time"),
    "Only jobs that were submitted in the last TIME, such as 15m or 24h")

  static let limit = Option<Int>(
    "--limit N", .output, .integer(1...1_000_000, default: 50), "Show at most N jobs")

  static let stories = Option<Int>(
    "--limit N", .output, .integer(1...1_000, default: 1),
    "Show at most N jobs of the link, the newest first")
}
