import JSONQuery
import Pipeline
import Posix
import Roles

/// The command `submit`: links into a fleet's ledger.
struct SubmitCommand {
  private let arguments: ParsedArguments
  private let input: InputPlan
  private let kind: JobKind
  private let batch: BatchID
  private let fleet: FleetLinkPlan
  private let errorTerminal: TerminalTraits
  /// Where the batch is named; standard output, except in tests.
  var print: @Sendable ([UInt8]) throws -> Void = { try DescriptorSink().write($0) }

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan, environment: [String: String]) throws(UsageError) {
    self.arguments = arguments
    input = try InputPlan(arguments, standardInputIsTerminal: isTerminal(0))
    kind = JobKind(name: arguments[FleetOption.kind].rawValue) ?? .title
    batch = try Self.batch(arguments)
    self.fleet = fleet
    errorTerminal = TerminalTraits(descriptor: 2, environment: environment)
  }

  private static func batch(_ arguments: ParsedArguments) throws(UsageError) -> BatchID {
    switch (arguments[FleetOption.batch], arguments[FleetOption.name]) {
    case (.some, .some):
      throw UsageError("--batch and --name are two ways to say one thing", command: arguments.command)
    case (nil, let name?): return BatchText.id(named: name)
    case (let text?, nil):
      guard let uuid = UUIDv7(text) else {
        throw arguments.rejection(of: FleetOption.batch, "'\(text)' is no id; --name takes any text")
      }
      return BatchID(uuid)
    case (nil, nil):
      return BatchID(
        UUIDv7(
          at: Moment(unixMilliseconds: SystemTime.unixMilliseconds), uniqueHigh: .random(in: .min ... .max),
          uniqueLow: .random(in: .min ... .max)))
    }
  }

  func run() async throws -> ExitCode {
    let feed = try InputFeed(input, kind: kind, select: arguments[LinkOption.select])
    try await feed.open(before: .standardOutput)
    let meter =
      arguments.wantsProgress(standardErrorRedraws: errorTerminal.redraws)
      ? ProgressMeter(width: errorTerminal.width ?? 80) : nil
    let progress = SubmissionProgress(meter)
    var settings = ProducerSettings(batch: batch, deadlineMilliseconds: arguments[LinkOption.deadline])
    settings.collectsRows = false
    let end = try await fleet.withLink { [settings] link in
      _ = try await link.asker.progress(of: settings.batch)
      let producer = link.producer(settings)
      let user = PipelineRun.User(
        take: { _ in }, tick: { progress.show(await producer.submitted, feed.total) },
        show: { progress.show($0) })
      do {
        let signal = try await PipelineRun.run(producer, feed, for: user)
        return (signal: signal, jobs: await producer.submitted, new: await producer.inserted)
      } catch {
        progress.show("halyard: \(await producer.submitted) jobs of batch \(settings.batch) are submitted\n")
        throw error
      }
    }
    progress.end()
    if let signal = end.signal {
      Message.show(
        "halyard: interrupted; \(end.jobs) jobs are submitted, and the same again with --batch \(batch) adds the rest\n"
      )
      return ExitCode(endedBy: signal)
    }
    try print(
      arguments[FleetOption.json] ? json(end.jobs, end.new) : Array("\(batch)\n".utf8))
    if !arguments[FleetOption.json], !arguments[LinkOption.quiet] {
      Message.show(
        "halyard: \(end.jobs) jobs submitted, \(end.new) of them new\ntry:   halyard results \(batch) --follow\n"
      )
    }
    return .ok
  }

  private func json(_ jobs: UInt64, _ new: UInt64) -> [UInt8] {
    var line = JSONWriter(reservingCapacity: 96)
    line.beginObject()
    line.key("batch")
    line.string(batch.description)
    line.key("jobs")
    line.int(jobs)
    line.key("new")
    line.int(new)
    line.endObject()
    line.endLine()
    return line.bytes
  }
}

/// How far a submission is, on a line of a terminal.
private final class SubmissionProgress: Sendable {
  private let meter: Lock<ProgressMeter?>
  private let startedAt = SystemTime.monotonicMicroseconds

  init(_ meter: ProgressMeter?) {
    self.meter = Lock(meter)
  }

  func show(_ submitted: UInt64, _ total: ProgressCounts.Total) {
    var counts = ProgressCounts()
    (counts.done, counts.total) = (Int(clamping: submitted), total)
    let elapsed = (SystemTime.monotonicMicroseconds - startedAt) / 1_000
    meter.withLock { meter in
      if let line = meter?.redraw(counts, elapsedMilliseconds: elapsed) { try? writeAll(2, line) }
    }
  }

  func show(_ text: String) {
    end()
    Message.show(text)
  }

  func end() {
    meter.withLock { meter in
      if let line = meter?.clear() { try? writeAll(2, line) }
    }
  }
}
