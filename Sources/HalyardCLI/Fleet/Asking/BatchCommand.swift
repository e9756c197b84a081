import JSONQuery
import Pipeline
import Posix
import Roles

struct BatchCommand {
  private let arguments: ParsedArguments
  private let batch: BatchText
  /// Which failures are requeued; empty for all.
  private let kinds: Set<FailureKind>
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    self.arguments = arguments
    guard let batch = BatchText(arguments) else {
      throw UsageError("no batch given", command: arguments.command)
    }
    self.batch = batch
    kinds = try FailedKinds.chosen(arguments)
    self.fleet = fleet
  }

  func run() async throws -> ExitCode {
    let isCancel = arguments.command == CommandTable.cancel
    let jobs: UInt64
    do {
      jobs = try await fleet.withLink { try await change(over: $0.client, isCancel: isCancel) }
    } catch let error as ChangeUnconfirmed {
      let name = arguments.operands.first ?? ""
      let state = "batch \(Printable.text(name)) is \(isCancel ? "cancelled" : "requeued")"
      Message.show(error.words(state, next: NextCommand(after: arguments)("watch", name, "--updates", "1")))
      return .unreachable
    }
    try Self.report(jobs, isCancel ? "cancelled" : "requeued", of: batch.id, arguments)
    return .ok
  }

  /// - Parameter batch: nil for all batches.
  static func report(
    _ jobs: UInt64, _ verb: String, of batch: BatchID?, _ arguments: ParsedArguments
  ) throws {
    guard arguments[FleetOption.json] else {
      return try DescriptorSink().write(Array("\(Counted.jobs(jobs)) \(verb)\n".utf8))
    }
    var line = JSONWriter(reservingCapacity: 96)
    line.beginObject()
    line.member("batch", batch?.description)
    line.member(verb, jobs)
    line.endObject()
    line.endLine()
    try DescriptorSink(.json).write(line.bytes)
  }

  private func change(over client: FleetClient, isCancel: Bool) async throws -> UInt64 {
    guard let progress = try await client.progress(of: batch.id) else { throw batch.unknown }
    guard isCancel else { return try await client.requeue(batch.id, of: kinds) }
    let cancelled = try await client.cancel(batch.id, cause: arguments[FleetOption.cause])
    // The fleet counts all that were ever cancelled of this batch.
    return cancelled - min(cancelled, progress.cancelled)
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
