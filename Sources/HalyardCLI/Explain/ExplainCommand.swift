import Assembly
import ClockPosix
import Pipeline
import Posix
import Roles

/// The command `explain`: one link, and every rule that fired on its way.
struct ExplainCommand {
  private let link: String
  private let settings: PipelineOptions
  private let wantsEmbed: Bool
  private let printsJSON: Bool
  private let clock = SystemClock()

  init(_ arguments: ParsedArguments) throws(UsageError) {
    link = arguments.operands.first ?? ""
    settings = try PipelineOptions(arguments)
    wantsEmbed = arguments[RequestOption.oembed]
    printsJSON = arguments[FleetOption.json]
  }

  func run() async throws -> ExitCode {
    try await Interruptible.run {
      let random = Randomness { UInt64.random(in: .min ... .max) }
      let batch = BatchID(random.uuid(at: clock.now))
      var job = Job(batch: batch, ordinal: 0, kind: .title, input: link)
      job.reading.wantsEmbed = wantsEmbed
      let explanation = try await withFetching(settings.network(clock)) { [job] fetching, _ in
        await LinkExplainer(fetching: fetching, clock: clock, settings: settings.roles.fetcher).explain(job)
      }
      try Task.checkCancellation()
      let report = ExplanationReport(explanation)
      try DescriptorSink(printsJSON ? .json : .text).write(
        printsJSON ? report.json : Array(try report.text.utf8))
      return explanation.failure == nil ? .ok : .someFailed
    }
  }
}
