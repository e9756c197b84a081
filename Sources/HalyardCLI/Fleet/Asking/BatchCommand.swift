import JSONQuery
import Links
import Pipeline
import Posix
import Roles

/// The commands `cancel` and `requeue`.
struct BatchCommand {
  private let arguments: ParsedArguments
  private let batch: BatchText?
  /// Without its time: the fleet's clock counts, not this machine's.
  private let choice: JobChoice
  /// Which failures are requeued; empty for all.
  private let kinds: Set<FailureKind>
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    self.arguments = arguments
    batch = BatchText(arguments)
    choice = JobChoice(
      batch?.id, job: try Self.job(arguments), host: try arguments.hostKey(JobOption.host))
    try arguments.require(
      !choice.isEmpty || arguments[JobOption.since] != nil,
      "no batch given, and none of --job, --host and --since")
    kinds = Set(arguments[JobOption.failedKind])
    self.fleet = fleet
  }

  private static func job(_ arguments: ParsedArguments) throws(UsageError) -> JobID? {
    guard let job = arguments[BatchOption.job] else { return nil }
    try arguments.refuse([OptionSpec](JobOption.host, JobOption.since), "--job names one job")
    try arguments.require(arguments.operands.isEmpty, of: BatchOption.job, "an id needs no batch")
    return job
  }

  func run() async throws -> ExitCode {
    let isCancel = arguments.command == CommandTable.cancel
    let verb = isCancel ? "cancelled" : "requeued"
    let name = arguments.operands.first
    let jobs = try await fleet.changing(
      name.map { "batch \(Printable.text($0)) is \(verb)" } ?? "the jobs are \(verb)",
      see: name.map { ["watch", $0, "--updates", "1"] } ?? ["jobs", "--since", "1d"]
    ) { try await change(over: $0, isCancel: isCancel) }
    guard let jobs else { return .unreachable }
    return try Self.report(jobs, verb, of: batch?.id, arguments)
  }

  /// - Parameter batch: nil for all batches.
  static func report(
    _ jobs: UInt64, _ verb: String, of batch: BatchID?, _ arguments: ParsedArguments
  ) throws -> ExitCode {
    let json = JSONWriter.line { line in
      line.member("batch", batch?.description)
      line.member(verb, jobs)
    }
    return try arguments.show(json: json, text: "\(Counted.jobs(jobs)) \(verb)\n")
  }

  private func change(over link: FleetLink, isCancel: Bool) async throws -> UInt64 {
    if let batch, try await link.client.progress(of: batch.id) == nil { throw batch.unknown }
    if let job = choice.job, try await link.client.ask(JobQuestion(job)) == nil {
      throw InputError(
        arguments.value(of: BatchOption.job)?.texts[0] ?? "",
        "the fleet has no job of this id; 'halyard jobs' lists those that it has")
    }
    var choice = choice
    choice.since = arguments.moment(before: link.ports.clock.now, JobOption.since)
    return isCancel
      ? try await link.client.ask(CancelOrder(choice, cause: arguments[FleetOption.cause]))
      : try await link.client.ask(RequeueOrder(choice, of: kinds))
  }
}

extension FleetLinkPlan {
  /// Has the fleet change something, and tells when it does not confirm that: it drops what it has not committed by then.
  ///
  /// - Parameters:
  ///   - state: What is to be, such as `batch monday is cancelled`.
  ///   - see: The command that shows whether it is.
  /// - Returns: nil when it is not confirmed.
  func changing<Answer: Sendable>(
    _ state: String, see: [String], _ body: @Sendable (FleetLink) async throws -> Answer
  ) async throws -> Answer? {
    do {
      return try await withLink(body)
    } catch let error as ChangeUnconfirmed {
      let status = try? await withLink { try StatusText(try await $0.client.ask(StatusQuestion()).bytes) }
      Message.show(error.words(state, status) + NextCommand(after: arguments).line(see))
      return nil
    }
  }
}

extension ChangeUnconfirmed {
  /// - Parameters:
  ///   - state: What was to be.
  ///   - fleet: How the fleet is; nil when it does not say that either.
  func words(_ state: String, _ fleet: StatusText?) -> String {
    """
    halyard: not confirmed: the fleet at \(Printable.text(silence.address.text)) did not say within \
    \(Quantity.duration(silence.milliseconds)) that \(state). Either it is, or it will not be: look, and say it again if it \
    is not\(fleet.map { $0.isWell ? "" : "; the fleet is \($0.health)" } ?? "")

    """
  }
}

/// A batch as a user wrote it: its id, or the name under which it was submitted.
struct BatchText: Hashable, Sendable {
  let id: BatchID
  private let text: String

  init(_ text: String) {
    self.text = text
    id = UUIDv7(text).map { BatchID($0) } ?? Self.id(named: text)
  }

  /// nil when none is named.
  init?(_ arguments: ParsedArguments) {
    guard let text = arguments.operands.first else { return nil }
    self.init(text)
  }

  /// An id made from a name: the same for the same name, for ever. Its time says nothing.
  ///
  /// Two hashes of the name with different starts, each mixed until every bit depends on all of it.
  static func id(named name: String) -> BatchID {
    let time = mixed(name.stableHash())
    let rest = mixed(name.stableHash(from: 0x6C62_272E_07BB_0142))
    return BatchID(
      UUIDv7(
        at: Moment(unixMilliseconds: Int64(time >> 16)), uniqueHigh: UInt16(truncatingIfNeeded: time),
        uniqueLow: rest))
  }

  private static func mixed(_ hash: UInt64) -> UInt64 {
    var sum = hash
    for _ in 0..<2 {
      sum = (sum ^ sum >> 33) &* 0xFF51_AFD7_ED55_8CCD
    }
    return sum ^ sum >> 33
  }

  var unknown: InputError {
    InputError(
      text, "the fleet has no batch of this id or name; 'halyard batches' lists those that it has")
  }
}

extension UUIDv7 {
  /// A new one.
  static func random(at now: Moment) -> UUIDv7 {
    UUIDv7(at: now, uniqueHigh: .random(in: .min ... .max), uniqueLow: .random(in: .min ... .max))
  }
}
