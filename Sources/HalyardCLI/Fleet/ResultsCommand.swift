import Pipeline
import Posix
import Roles

/// The command `results`: the rows of a batch.
struct ResultsCommand {
  private let arguments: ParsedArguments
  private let copies: RowCopies
  private let output: OutputPlan
  private let fleet: FleetLinkPlan
  private let errorTerminal: TerminalTraits

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan, environment: [String: String]) throws(UsageError) {
    self.arguments = arguments
    copies = RowCopies(
      of: try BatchText.id(arguments), isOrdered: arguments[LinkOption.ordered],
      follows: arguments[FleetOption.follow])
    var output = try OutputPlan(
      arguments, standardOutput: TerminalTraits(descriptor: 1, environment: environment))
    if arguments[FleetOption.json] { output.format = .jsonl }
    self.output = output
    self.fleet = fleet
    errorTerminal = TerminalTraits(descriptor: 2, environment: environment)
  }

  func run() async throws -> ExitCode {
    let meter =
      arguments.wantsProgress(standardErrorRedraws: errorTerminal.redraws)
      ? ProgressMeter(width: errorTerminal.width ?? 80) : nil
    return try await fleet.withLink { link in
      let asker = link.asker
      // Before the output is emptied.
      guard let progress = try await asker.progress(of: copies.batch) else {
        throw BatchText.unknown(copies.batch)
      }
      let total = Lock(ProgressCounts.Total(progress))
      let rows = try RowOutput(try output.open(), meter: meter, sharesTerminal: output.isScreen)
      _ = try await asker.copy(copies) { arrived in
        try await rows.take(arrived, total: total.withLock { $0 })
      } onProgress: { progress in
        total.withLock { $0 = ProgressCounts.Total(progress) }
        try await rows.tick()
      }
      try await rows.finish(
        withSummary: arguments.wantsSummary(standardErrorIsTerminal: errorTerminal.isTerminal))
      return rows.counts.failedInAll == 0 ? .ok : .someFailed
    }
  }
}

extension ProgressCounts.Total {
  fileprivate init(_ progress: BatchProgress) {
    self = progress.total.map { .exactly(Int(clamping: $0)) } ?? .unknown
  }
}
