import JSONQuery
import Pipeline
import Posix
import Roles

/// The commands `cancel` and `requeue`.
struct BatchCommand {
  private let arguments: ParsedArguments
  private let batch: BatchText?
  /// Without its time, which is told by the fleet's clock.
  private let choice: JobChoice
  /// Which failures are requeued; empty for all.
  private let kinds: Set<FailureKind>
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    self.arguments = arguments
    batch = BatchText(arguments)
    choice = JobChoice(
      batch?.id, job: try Self.job(arguments), host: try HostText.key(JobOption.host, arguments))
    guard !choice.isEmpty || arguments[JobOption.since] != nil else {
      throw UsageError("no batch given, and none of --job, --host and --since", command: arguments.command)
    }
    kinds = Set(arguments[JobOption.failedKind])
    self.fleet = fleet
  }

  private static func job(_ arguments: ParsedArguments) throws(UsageError) -> JobID? {
    guard let job = arguments[BatchOption.job] else { return nil }
    for option in [OptionSpec](JobOption.host, JobOption.since) where arguments.isOnCommandLine(option) {
      throw .badValue(option, "--job names one job", command: arguments.command)
    }
    guard arguments.operands.isEmpty else {
      throw arguments.rejection(of: BatchOption.job, "an id needs no batch")
    }
    return job
  }

  func run() async throws -> ExitCode {
    let isCancel = arguments.command == CommandTable.cancel
    let jobs: UInt64
    do {
      jobs = try await fleet.withLink { try await change(over: $0, isCancel: isCancel) }
    } catch let error as ChangeUnconfirmed {
      let verb = isCancel ? "cancelled" : "requeued"
      let next = NextCommand(after: arguments)
      if let name = arguments.operands.first {
        let state = "batch \(Printable.text(name)) is \(verb)"
        Message.show(error.words(state, next: next("watch", name, "--updates", "1")))
      } else {
        Message.show(error.words("the jobs are \(verb)", next: next("jobs", "--since", "1d")))
      }
      return .unreachable
    }
    try Self.report(jobs, isCancel ? "cancelled" : "requeued", of: batch?.id, arguments)
    return .ok
  }

  /// - Parameter batch: nil for all batches.
  static func report(
    _ jobs: UInt64, _ verb: String, of batch: BatchID?, _ arguments: ParsedArguments
  ) throws {
    guard arguments[FleetOption.json] else {
      return try DescriptorSink().write(Array("\(Counted.jobs(jobs)) \(verb)\n".utf8))
    }
    let line = JSONWriter.line { line in
      line.member("batch", batch?.description)
      line.member(verb, jobs)
    }
    try DescriptorSink(.json).write(line)
  }

  private func change(over link: FleetLink, isCancel: Bool) async throws -> UInt64 {
    if let batch, try await link.client.progress(of: batch.id) == nil { throw batch.unknown }
    if let job = choice.job, try await link.client.story(of: job) == nil {
      throw InputError(
        arguments.value(of: BatchOption.job.spec)?.text ?? "",
        "the fleet has no job of this id; 'halyard jobs' lists those that it has")
    }
    var choice = choice
    choice.since = arguments[JobOption.since].map { link.ports.clock.now.advanced(byMilliseconds: -$0) }
    return isCancel
      ? try await link.client.cancel(choice, cause: arguments[FleetOption.cause])
      : try await link.client.requeue(choice, of: kinds)
  }
}

extension ChangeUnconfirmed {
  /// The fleet drops what it has not begun with by now.
  ///
  /// - Parameters:
  ///   - state: What was to be, such as `batch monday is cancelled`.
  ///   - next: How to see whether it is.
  func words(_ state: String, next: String) -> String {
    """
    halyard: not confirmed: the fleet at \(Printable.text(silence.address.text)) did not say within \
    \(Quantity.duration(silence.milliseconds)) that \(state); it may be, but what is not done by now is dropped
    \(next)
    """
  }
}
