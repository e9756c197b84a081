import JSONQuery
import Pipeline
import Posix
import Roles

/// The commands `cancel` and `requeue`.
struct BatchCommand {
  private let arguments: ParsedArguments
  private let batch: BatchID
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    self.arguments = arguments
    batch = try BatchText.id(arguments)
    self.fleet = fleet
  }

  func run() async throws -> ExitCode {
    let isCancel = arguments.command == CommandTable.cancel
    let jobs = try await fleet.withLink { link in
      let asker = link.asker
      guard try await asker.progress(of: batch) != nil else { throw BatchText.unknown(batch) }
      return isCancel
        ? try await asker.cancel(batch, cause: arguments[FleetOption.cause]) : try await asker.requeue(batch)
    }
    let verb = isCancel ? "cancelled" : "requeued"
    guard arguments[FleetOption.json] else {
      try DescriptorSink().write(Array("\(jobs) jobs \(verb)\n".utf8))
      return .ok
    }
    var line = JSONWriter(reservingCapacity: 96)
    line.beginObject()
    line.key("batch")
    line.string(batch.description)
    line.key(verb)
    line.int(jobs)
    line.endObject()
    line.endLine()
    try DescriptorSink().write(line.bytes)
    return .ok
  }
}
