import JSONQuery
import Pipeline
import Posix
import Roles

struct ResultsCommand {
  private let arguments: ParsedArguments
  private let batch: BatchText
  private let copies: RowCopies
  private let output: OutputPlan
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    self.arguments = arguments
    batch = BatchText(arguments.operands[0])
    copies = RowCopies(
      of: batch.id, isOrdered: arguments[LinkOption.ordered],
      follows: arguments[FleetOption.follow],
      after: UInt64(clamping: arguments[BatchOption.after]))
    var output = try OutputPlan(arguments)
    if arguments[FleetOption.json] {
      try arguments.require(
        output.format == .jsonl || !arguments.isOnCommandLine(LinkOption.format), of: LinkOption.format,
        "--json asks for another one")
      output.format = .jsonl
    }
    self.output = output
    self.fleet = fleet
  }

  func run() async throws -> ExitCode {
    let width = arguments.progressWidth(hasRoom: output.leavesRoomForProgress)
    return try await fleet.withLink { link in
      // Before the output is emptied.
      guard let progress = try await link.client.progress(of: copies.batch) else {
        throw batch.unknown
      }
      let last = Lock(progress)
      let sink = try output.remembering(copies, lineage: progress.lineage)
      let place = try await place(in: sink, link)
      let rows = try RowOutput(
        try output.open(sink, goingOn: place != nil), progressWidth: width, sharesTerminal: output.isScreen,
        onlyFailures: output.onlyFailures)
      try await copy(after: place, into: rows, canGoOn: sink != nil, last, link)
      // 'status' shows how jobs ended; reading their rows again needs no summary.
      let wantsSummary = arguments.wantsSummary(of: ProgressCounts())
      try await rows.finish { _ in wantsSummary }
      return end(rows.counts, last.withLock { $0 }, hasEarlier: place != nil)
    }
  }

  /// The row after which a reader that was killed left off, if it is still there.
  private func place(in sink: ReplacingSink?, _ link: FleetLink) async throws -> ReadingPlace? {
    guard let sink else { return nil }
    guard let place = sink.place, try await isThere(place, sink, link) else {
      try sink.goOn(from: nil)
      return nil
    }
    try sink.goOn(from: place)
    if !arguments[LinkOption.quiet] {
      let part = Printable.text(sink.partPath)
      Message.show("halyard: going on after row \(place.number), which is in \(part)\n")
    }
    return place
  }

  private func isThere(_ place: ReadingPlace, _ sink: ReplacingSink, _ link: FleetLink) async throws -> Bool {
    var wish = RowCopies(of: copies.batch, after: place.number - 1)
    wish.upTo = place.number
    let found = Lock(false)
    do {
      _ = try await link.follower.copy(wish) { rows in
        let isThere = rows.contains(where: place.isOf)
        found.withLock { $0 = isThere }
      }
    } catch {
      _ = sink.breakOff(keepingRows: false)
      throw error
    }
    return found.withLock { $0 }
  }

  /// - Parameters:
  ///   - canGoOn: The same command would go on after the rows that came.
  ///   - last: How far the batch is.
  private func copy(
    after place: ReadingPlace?, into rows: RowOutput, canGoOn: Bool, _ last: Lock<BatchProgress>,
    _ link: FleetLink
  ) async throws {
    var copies = copies
    if let place { copies.after = place.number }
    do {
      _ = try await link.follower.copy(copies) { arrived in
        try await rows.take(arrived, total: ProgressCounts.Total(last.withLock { $0 }))
      } onProgress: { progress in
        last.withLock { $0 = progress }
        try await rows.tick()
      }
    } catch is CancellationError where !canGoOn {
      // Interrupted: the rows that came are wanted.
      try await Task { try await rows.finish { _ in false } }.value
      throw CancellationError()
    } catch {
      let advice =
        switch (error as? RowsLost)?.cause {
        case .otherLedger: "; the same command begins anew"
        case .deleted: ""
        case nil: "; the same command goes on after them"
        }
      // Also when this task was cancelled.
      await Task { await rows.breakOff(keepingRows: false, advice: advice) }.value
      throw error
    }
  }

  /// - Parameter hasEarlier: Rows were there already, which are not counted.
  private func end(_ counts: ProgressCounts, _ progress: BatchProgress, hasEarlier: Bool) -> ExitCode {
    if !copies.follows { tellWhatIsOpen(progress) }
    if progress.isAbandoned {
      Message.show(AbandonedBatch.words(progress))
      return .someFailed
    }
    let earlierFailed = (hasEarlier || copies.after > 0) && progress.failed > 0
    return counts.failedInAll == 0 && !earlierFailed && progress.cancelled == 0 ? .ok : .someFailed
  }

  private func tellWhatIsOpen(_ progress: BatchProgress) {
    guard !arguments[LinkOption.quiet] else { return }
    if copies.after > progress.rows {
      Message.show("halyard: no row is behind row \(copies.after): the last one is row \(progress.rows)\n")
    }
    guard !progress.isComplete else { return }
    if progress.hasNoProducer { return Message.show(AbandonedBatch.openWords(after: arguments)) }
    let rows =
      progress.open.map { $0 == 1 ? "1 row is" : "\($0) rows are" } ?? "its submission goes on, so rows are"
    Message.show("halyard: the batch is not complete: \(rows) still to come; wait for them with --follow\n")
  }
}

enum AbandonedBatch {
  /// The fleet waits for it still.
  static func openWords(after arguments: ParsedArguments) -> String {
    "halyard: the batch is not complete: its producer went away before all was submitted; submit the same list again "
      + "under the same --name or --batch to add the rest, or end it\n"
      + NextCommand(after: arguments)("cancel", arguments.operands[0])
  }

  static func words(_ progress: BatchProgress) -> String {
    "halyard: the batch is incomplete: its producer went away after \(Counted.jobs(progress.total ?? 0)); "
      + (progress.isCancelled
        ? "and it was cancelled; submit the same list under another --name to do the rest\n"
        : "submit the same list again under the same --name or --batch to add the rest\n")
  }
}

extension ProgressCounts.Total {
  fileprivate init(_ progress: BatchProgress) {
    self = progress.total.map { .exactly(Int(clamping: $0)) } ?? .unknown
  }
}

/// The command `watch BATCH`: how far one batch is, until it is complete.
struct WatchCommand {
  let arguments: ParsedArguments
  let batch: BatchText
  let fleet: FleetLinkPlan

  func run() async throws -> ExitCode {
    try await fleet.withLink { link in
      let client = link.follower
      var updates = 0
      while true {
        guard let progress = try await client.progress(of: batch.id) else { throw batch.unknown }
        try arguments.show(json: json(progress), text: text(progress))
        updates += 1
        if progress.isComplete || updates == arguments[FleetOption.updates] {
          if progress.isAbandoned, progress.isComplete { Message.show(AbandonedBatch.words(progress)) }
          return progress.failed + progress.cancelled == 0 && !progress.isAbandoned ? .ok : .someFailed
        }
        try await Task.sleep(for: .milliseconds(arguments[FleetOption.every]))
      }
    }
  }

  private func text(_ progress: BatchProgress) -> String {
    let (total, open) = (progress.total.map(String.init) ?? "-", progress.open.map(String.init) ?? "-")
    let cancelled = progress.cancelled > 0 ? "\(progress.cancelled) cancelled, " : ""
    let mark =
      (progress.isAbandoned ? ", abandoned by its producer" : "") + (progress.isPaused ? ", paused" : "")
    return
      "\(total) jobs, \(progress.done) done, \(progress.failed) failed, \(cancelled)\(open) open\(mark)\n"
  }

  private func json(_ progress: BatchProgress) -> [UInt8] {
    JSONWriter.line(of: OfBatch(batch: batch.id, report: BatchCounts(progress)))
  }
}

/// A report about a batch, with its id.
struct OfBatch<Report: Encodable & Sendable>: Encodable {
  var batch: BatchID
  @Flat var report: Report
}

/// What to type next, in the words with which this command was called, and to the same fleet.
struct NextCommand: Sendable {
  private let program: String
  private let fleet: [String]

  /// - Parameter program: What the user called.
  init(after arguments: ParsedArguments, program: String = Program.commandLine.first ?? "halyard") {
    self.program = program
    let named = [OptionSpec](FleetOption.fleet, FleetOption.bind, FleetOption.keys)
    fleet = arguments.words(of: named.filter { arguments.isOnCommandLine($0) })
  }

  /// A line that begins with `try:`, with its newline.
  func callAsFunction(_ words: String...) -> String { line(words) }

  func line(_ words: [String]) -> String { "try:   \(text(words))\n" }

  func text(_ words: [String]) -> String {
    ([program] + words + fleet).map { ShellWord.quoted(Printable.text($0)) }.joined(separator: " ")
  }
}
