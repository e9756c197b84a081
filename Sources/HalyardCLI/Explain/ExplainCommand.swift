import Assembly
import Pipeline
import Posix
import Roles

/// The command `explain`: one link, and every rule that fired on its way.
enum ExplainCommand {
  static func run(_ arguments: ParsedArguments) async throws -> ExitCode {
    let report = try await ExplanationReport.make(
      of: arguments.operands[0], LinkOption.reading(arguments), PipelineOptions(arguments))
    try Task.checkCancellation()
    try arguments.show(json: report.json, text: report.text)
    return report.explanation.failure == nil ? .ok : .someFailed
  }
}

extension ExplanationReport {
  /// Fetches a link here and now.
  ///
  /// - Parameters:
  ///   - milliseconds: For all of it; nil for no limit beside that of each request.
  ///   - wrapped: Puts something between the walk and the network.
  static func make(
    of link: String, _ reading: Reading, _ settings: PipelineOptions, within milliseconds: Int64? = nil,
    wrapped: @Sendable ([any Fetching]) -> [any Fetching] = { $0 }
  ) async throws -> ExplanationReport {
    let clock = SystemClock()
    var job = Job(batch: BatchID(.random(at: clock.now)), ordinal: 0, kind: .title, input: link)
    job.reading = reading
    job.deadline = milliseconds.map { clock.now.advanced(byMilliseconds: $0) }
    return try await withFetching(settings.network(clock)) { [job] fetching, _ in
      let explainer = LinkExplainer(
        fetching: wrapped([fetching])[0], clock: clock, settings: settings.roles.fetcher)
      return ExplanationReport(explanation: await explainer.explain(job))
    }
  }
}
