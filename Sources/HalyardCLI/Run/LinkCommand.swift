import Assembly
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
  private let selection: LinkSelection
  /// nil when rows count as they are.
  private let judge: RowJudge?
  private let settings: PipelineOptions
  /// The ledger's file; nil when nothing is kept.
  private let ledger: String?
  /// nil when every link is fetched.
  private let cache: LinkCache?
  /// Does the work, when one is named.
  private let fleet: FleetLinkPlan?

  /// - Parameter fleet: What does the work; nil for this process.
  init(_ arguments: ParsedArguments, kind: JobKind, fleet: FleetLinkPlan?) throws(UsageError) {
    self.arguments = arguments
    self.kind = kind
    input = try InputPlan(arguments)
    try input.refuseFiles(arguments.command)
    output = try OutputPlan(arguments)
    selection = try LinkSelection(arguments)
    judge = RowJudge(arguments)
    settings = try PipelineOptions(arguments)
    self.fleet = fleet
    ledger = try DurableRun.path(of: LinkOption.ledger, arguments, input, output)
    cache = try LinkCache(
      arguments, file: DurableRun.path(of: CacheOption.file, arguments, input, output),
      hasLedger: ledger != nil)
  }

  func run() async throws -> ExitCode {
    if let fleet { return try await run(over: fleet) }
    // Before the output is emptied: a ledger that cannot be opened leaves all as it was.
    return try await DurableRun.with(
      ledger, named: DurableRun.name(arguments, input, selection), arguments
    ) { try await runWithCache($0) }
  }

  private func runWithCache(_ durable: DurableRun?) async throws -> ExitCode {
    guard let cache else { return try await run(durable, nil) }
    return try await cache.with(durable?.ledger) { try await run(durable, $0) }
  }

  private func run(_ durable: DurableRun?, _ caching: AnswerCaching?) async throws -> ExitCode {
    var known: UInt64 = 0
    if let durable { known = try await durable.ledger.progress(of: durable.batch)?.settled ?? 0 }
    return try await collect(into: output, known: Int(clamping: known)) { feed, user in
      let run = PipelineRun(
        options: settings, isOrdered: arguments[LinkOption.ordered],
        deadlineMilliseconds: arguments[LinkOption.deadline], log: LogPlan(arguments),
        durable: durable, ledgerTimeoutMilliseconds: FleetTimeouts.forLedger(arguments), caching: caching)
      let signal = try await run.run(durable.map { ResumedFeed(feed, $0) } ?? feed, for: user)
      let words = "halyard: interrupted; the same command goes on from here\n"
      return (signal, durable == nil ? nil : words)
    }
  }

  private func run(over fleet: FleetLinkPlan) async throws -> ExitCode {
    try await fleet.withLink { link in
      let batch = link.ports.newBatch()
      // Before the output is emptied: a fleet that does not answer leaves all as it was.
      _ = try await link.client.progress(of: batch)
      return try await collect(into: output) { feed, user in
        let producer = link.producer(
          ProducerSettings(
            batch: batch, isOrdered: arguments[LinkOption.ordered] || output.isRaw, start: Self.jobsInFleet,
            deadlineMilliseconds: arguments[LinkOption.deadline]))
        do {
          let signal = try await link.run(producer, feed, for: user)
          return (signal, await producer.isAbandoned ? farewell(batch) : nil)
        } catch  where error is FleetSilent || error is FleetRefusal {
          Message.show(farewell(batch))
          throw error
        }
      }
    }
  }

  /// The last message about a run whose fleet fell silent.
  private func farewell(_ batch: BatchID) -> String {
    "halyard: the fleet goes on with what it has of this run when it is there again\n"
      + NextCommand(after: arguments)("results", "\(batch)")
  }

  /// Jobs to begin with; a fleet has more fetchers than one.
  private static let jobsInFleet = 2_048

  /// Runs jobs from the input to the rows' target.
  ///
  /// - Parameters:
  ///   - known: How many rows a ledger had before.
  ///   - body: Returns the signal that ended it early, and what to say then.
  private func collect(
    into output: OutputPlan, known: Int = 0,
    _ body: (InputFeed, PipelineRun.User) async throws -> (signal: Int32?, farewell: String?)
  ) async throws -> ExitCode {
    let feed = try InputFeed(input, kind: kind, reading: LinkOption.reading(arguments), selection: selection)
    try await feed.open(before: output.targets)
    var output = output
    if input.columns.keepsAll { output.kept = try await feed.allKept() }
    let rows = try RowOutput(
      try output.open(),
      progressWidth: arguments.progressWidth(hasRoom: output.leavesRoomForProgress),
      sharesTerminal: output.isScreen, known: known, onlyFailures: output.onlyFailures)
    let user = PipelineRun.User(
      take: { [isRaw = output.isRaw, judge] arrived in
        let arrived = try judge.map { try arrived.map($0.judged) } ?? arrived
        try await rows.take(arrived, total: feed.total)
        guard isRaw else { return }
        for row in arrived where row.failure != nil { RawValueEncoder.complaint(row.json).map(Message.show) }
      },
      tick: { try await rows.tick() })
    let end: (signal: Int32?, farewell: String?)
    do {
      end = try await body(feed, user)
    } catch {
      // A ledger and a fleet have them still.
      await rows.breakOff(keepingRows: ledger == nil && fleet == nil)
      throw error
    }
    rows.leaveOut(feed.leftOut)
    try await rows.finish { [arguments] in arguments.wantsSummary(of: $0) }
    guard let signal = end.signal else { return rows.counts.failedInAll == 0 ? .ok : .someFailed }
    if let farewell = end.farewell { Message.show(farewell) }
    return ExitCode(endedBy: signal)
  }
}
