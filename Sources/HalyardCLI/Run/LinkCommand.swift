import ClockPosix
import LedgerSQLite
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
  /// The ledger's file; nil when nothing is kept.
  private let ledger: String?
  private let errorTerminal: TerminalTraits
  private let clock = SystemClock()

  init(_ arguments: ParsedArguments, kind: JobKind, environment: [String: String]) throws(UsageError) {
    self.arguments = arguments
    self.kind = kind
    input = try InputPlan(arguments, standardInputIsTerminal: isTerminal(0))
    output = try OutputPlan(
      arguments, standardOutput: TerminalTraits(descriptor: 1, environment: environment))
    settings = try RunSettings(arguments, clock: clock)
    ledger = try DurableRun.path(arguments, input, output)
    errorTerminal = TerminalTraits(descriptor: 2, environment: environment)
  }

  func run() async throws -> ExitCode {
    guard let ledger else { return try await run(nil) }
    // Before the output is emptied: a ledger that cannot be opened leaves all as it was.
    let durable = try await DurableRun.open(
      ledger, named: DurableRun.name(arguments, input), deadlineMilliseconds: settings.deadlineMilliseconds,
      clock: clock)
    let ending: Result<ExitCode, any Error>
    do {
      ending = .success(try await run(durable))
    } catch {
      ending = .failure(error)
    }
    await durable.ledger.close()
    return try ending.get()
  }

  private func run(_ durable: DurableRun?) async throws -> ExitCode {
    let feed = try InputFeed(input, kind: kind, select: arguments[LinkOption.select])
    try await feed.open(before: output.target)
    let rows = try RowOutput(try output.open(), meter: meter, sharesTerminal: output.isScreen)
    var run = PipelineRun(
      settings: settings.pipeline, curl: settings.curl, clock: clock, isOrdered: settings.isOrdered,
      deadlineMilliseconds: settings.deadlineMilliseconds, logLevel: arguments[LinkOption.logLevel],
      durable: durable)
    let user = PipelineRun.User(
      take: { try await rows.take($0, total: feed.total) }, tick: { try await rows.tick() },
      show: { rows.show($0) })
    let signal: Int32?
    do {
      signal = try await run.run(durable.map { ResumedFeed(feed, $0) } ?? feed, for: user)
    } catch {
      try? await rows.finish(withSummary: false)
      throw error
    }
    try await rows.finish(
      withSummary: arguments.wantsSummary(standardErrorIsTerminal: errorTerminal.isTerminal))
    if signal != nil, durable != nil {
      Message.show("halyard: interrupted; the same command goes on from here\n")
    }
    if let signal { return ExitCode(endedBy: signal) }
    return rows.counts.failedInAll == 0 ? .ok : .someFailed
  }

  private var meter: ProgressMeter? {
    guard arguments.wantsProgress(standardErrorRedraws: errorTerminal.redraws) else { return nil }
    return ProgressMeter(width: errorTerminal.width ?? 80)
  }
}
