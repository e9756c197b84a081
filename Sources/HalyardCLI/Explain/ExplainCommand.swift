import Assembly
import ClockPosix
import Pipeline
import Posix
import Roles

/// The command `explain`: one link, and every rule that fired on its way.
struct ExplainCommand {
  private let arguments: ParsedArguments
  private let settings: PipelineOptions
  private let clock = SystemClock()

  init(_ arguments: ParsedArguments) throws(UsageError) {
    self.arguments = arguments
    settings = try PipelineOptions(arguments)
  }

  func run() async throws -> ExitCode {
    let batch = BatchID(.random(at: clock.now))
    var job = Job(batch: batch, ordinal: 0, kind: .title, input: arguments.operands[0])
    job.reading.language = arguments[RequestOption.language]
    job.reading.wantsEmbed = arguments[RequestOption.oembed]
    let explanation = try await withFetching(settings.network(clock)) { [job] fetching, _ in
      await LinkExplainer(fetching: fetching, clock: clock, settings: settings.roles.fetcher).explain(job)
    }
    try Task.checkCancellation()
    let report = ExplanationReport(explanation: explanation)
    try arguments.show(json: report.json, text: report.text)
    return explanation.failure == nil ? .ok : .someFailed
  }
}
