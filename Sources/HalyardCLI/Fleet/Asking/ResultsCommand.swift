import Pipeline
import Posix
import Roles

struct ResultsCommand {
  private let arguments: ParsedArguments
  private let batch: BatchText
  private let copies: RowCopies
  private let output: OutputPlan
  private let fleet: FleetLinkPlan
  private let errorTerminal: TerminalTraits

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan, environment: [String: String]) throws(UsageError) {
    self.arguments = arguments
    guard let batch = BatchText(arguments) else {
      throw UsageError("no batch given", command: arguments.command)
    }
    self.batch = batch
    copies = RowCopies(
      of: batch.id, isOrdered: arguments[LinkOption.ordered],
      follows: arguments[FleetOption.follow],
      after: UInt64(clamping: arguments[BatchOption.after]))
    var output = try OutputPlan(
      arguments, standardOutput: TerminalTraits(descriptor: 1, environment: environment))
    if arguments[FleetOption.json] {
      guard output.format == .jsonl || !arguments.isOnCommandLine(LinkOption.format.spec) else {
        throw arguments.rejection(of: LinkOption.format, "--json asks for another one")
      }
      output.format = .jsonl
    }
    self.output = output
    self.fleet = fleet
    errorTerminal = TerminalTraits(descriptor: 2, environment: environment)
  }

  func run() async throws -> ExitCode {
    let meter =
      arguments.wantsProgress(
        standardErrorRedraws: errorTerminal.redraws && output.leavesRoomForProgress)
      ? ProgressMeter(width: errorTerminal.width ?? 80) : nil
    return try await fleet.withLink { link in
      // Before the output is emptied.
      guard let progress = try await link.client.progress(of: copies.batch) else {
        throw batch.unknown
      }
      let last = Lock(progress)
      let rows = try RowOutput(
        try output.open(), meter: meter, sharesTerminal: output.isScreen, onlyFailures: output.onlyFailures)
      link.notice.show { rows.show($0) }
      do {
        _ = try await link.follower.copy(copies) { arrived in
          try await rows.take(arrived, total: ProgressCounts.Total(last.withLock { $0 }))
        } onProgress: { progress in
          last.withLock { $0 = progress }
          try await rows.tick()
        }
      } catch is CancellationError {
        // Interrupted: the rows that came are wanted.
        try await Task { try await rows.finish { _ in false } }.value
        throw CancellationError()
      } catch {
        await rows.breakOff(keepingRows: false)
        throw error
      }
      // 'status' shows how jobs ended; reading their rows again needs no summary.
      let wantsSummary = arguments.wantsSummary(
        of: ProgressCounts(), standardErrorIsTerminal: errorTerminal.isTerminal)
      try await rows.finish { _ in wantsSummary }
      let end = last.withLock { $0 }
      if !copies.follows { tellWhatIsOpen(end) }
      if end.isAbandoned {
        Message.show(AbandonedBatch.words(end))
        return .someFailed
      }
      return rows.counts.failedInAll == 0 && end.cancelled == 0 ? .ok : .someFailed
    }
  }

  private func tellWhatIsOpen(_ progress: BatchProgress) {
    guard !progress.isComplete, !arguments[LinkOption.quiet] else { return }
    let rows =
      progress.open.map { $0 == 1 ? "1 row is" : "\($0) rows are" } ?? "its submission goes on, so rows are"
    Message.show("halyard: the batch is not complete: \(rows) still to come; wait for them with --follow\n")
  }
}

enum AbandonedBatch {
  static func words(_ progress: BatchProgress) -> String {
    "halyard: the batch is incomplete: its producer went away after \(Counted.jobs(progress.total ?? 0)); "
      + "submit the same list again under the same --name or --batch to add the rest\n"
  }
}

extension ProgressCounts.Total {
  fileprivate init(_ progress: BatchProgress) {
    self = progress.total.map { .exactly(Int(clamping: $0)) } ?? .unknown
  }
}
