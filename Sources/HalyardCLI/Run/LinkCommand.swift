import JSONQuery
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
  private let meter: ProgressMeter?

  init(_ arguments: ParsedArguments, kind: JobKind, environment: [String: String]) throws(UsageError) {
    self.arguments = arguments
    self.kind = kind
    input = try InputPlan(arguments, standardInputIsTerminal: isTerminal(0))
    output = try OutputPlan(
      arguments, standardOutput: TerminalTraits(descriptor: 1, environment: environment))
    settings = try RunSettings(arguments)
    meter = Self.meter(arguments, TerminalTraits(descriptor: 2, environment: environment))
    try Self.checkPointer(arguments)
  }

  func run() async throws -> ExitCode {
    let writer = try output.open()
    let rows = try RowOutput(writer, meter: meter)
    let feed = try InputFeed(input, kind: kind, select: arguments[LinkOption.select])
    let run = PipelineRun(
      settings: settings.pipeline, curl: settings.curl, isOrdered: settings.isOrdered,
      deadlineMilliseconds: settings.deadlineMilliseconds)
    let signal = try await run.run(
      feed, into: { try await rows.take($0, total: feed.total) }, tick: { try await rows.tick() })
    try await rows.finish()
    if let signal { return signal == SignalWatch.terminate ? .terminated : .interrupted }
    return rows.counts.failedInAll == 0 ? .ok : .someFailed
  }

  private static func meter(_ arguments: ParsedArguments, _ terminal: TerminalTraits) -> ProgressMeter? {
    let isWanted =
      switch arguments[LinkOption.progress] {
      case .always: true
      case .never: false
      case .auto: terminal.isTerminal && !arguments[LinkOption.quiet]
      }
    return isWanted ? ProgressMeter(width: terminal.width ?? 80) : nil
  }

  private static func checkPointer(_ arguments: ParsedArguments) throws(UsageError) {
    guard let select = arguments[LinkOption.select] else { return }
    do {
      _ = try JSONPointer(select)
    } catch {
      throw arguments.rejection(of: LinkOption.select, error.message)
    }
  }
}
