import ClockPosix
import Pipeline
import Posix
import Roles

/// The commands `unfurl`, `title` and `decode`: links in, rows out.
struct LinkCommand {
  private let arguments: ParsedArguments
  private let kind: JobKind
  private let input: InputPlan
  private let output: OutputPlan
  private let settings: RunSettings
  private let errorTerminal: TerminalTraits
  private let clock = SystemClock()

  init(_ arguments: ParsedArguments, kind: JobKind, environment: [String: String]) throws(UsageError) {
    self.arguments = arguments
    self.kind = kind
    input = try InputPlan(arguments, standardInputIsTerminal: isTerminal(0))
    output = try OutputPlan(
      arguments, standardOutput: TerminalTraits(descriptor: 1, environment: environment))
    settings = try RunSettings(arguments, clock: clock)
    errorTerminal = TerminalTraits(descriptor: 2, environment: environment)
  }

  func run() async throws -> ExitCode {
    let feed = try InputFeed(input, kind: kind, select: arguments[LinkOption.select])
    try await feed.open(before: output.target)
    let rows = try RowOutput(try output.open(), meter: meter, sharesTerminal: output.isScreen)
    var run = PipelineRun(
      settings: settings.pipeline, curl: settings.curl, clock: clock, isOrdered: settings.isOrdered,
      deadlineMilliseconds: settings.deadlineMilliseconds, logLevel: arguments[LinkOption.logLevel])
    let user = PipelineRun.User(
      take: { try await rows.take($0, total: feed.total) }, tick: { try await rows.tick() },
      show: { rows.show($0) })
    let signal: Int32?
    do {
      signal = try await run.run(feed, for: user)
    } catch {
      try? await rows.finish(withSummary: false)
      throw error
    }
    try await rows.finish(
      withSummary: arguments.wantsSummary(standardErrorIsTerminal: errorTerminal.isTerminal))
    if let signal { return ExitCode(endedBy: signal) }
    return rows.counts.failedInAll == 0 ? .ok : .someFailed
  }

  private var meter: ProgressMeter? {
    guard arguments.wantsProgress(standardErrorRedraws: errorTerminal.redraws) else { return nil }
    return ProgressMeter(width: errorTerminal.width ?? 80)
  }
}
