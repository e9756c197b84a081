import JSONQuery
import Pipeline
import Posix
import Roles

/// The commands `cancel` and `requeue`.
struct BatchCommand {
  private let arguments: ParsedArguments
  private let batch: BatchText
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    self.arguments = arguments
    guard let batch = BatchText(arguments) else {
      throw UsageError("no batch given", command: arguments.command)
    }
    self.batch = batch
    self.fleet = fleet
  }

  func run() async throws -> ExitCode {
    let isCancel = arguments.command == CommandTable.cancel
    let jobs = try await fleet.withLink { link in
      let asker = link.asker
      guard let progress = try await asker.progress(of: batch.id) else { throw batch.unknown }
      guard isCancel else { return try await asker.requeue(batch.id) }
      let ended = try await asker.cancel(batch.id, cause: arguments[FleetOption.cause])
      // The fleet counts all that it ever ended of this batch.
      return min(ended, progress.open ?? ended)
    }
    let verb = isCancel ? "cancelled" : "requeued"
    guard arguments[FleetOption.json] else {
      try DescriptorSink().write(Array("\(Counted.jobs(jobs)) \(verb)\n".utf8))
      return .ok
    }
    var line = JSONWriter(reservingCapacity: 96)
    line.beginObject()
    line.key("batch")
    line.string(batch.id.description)
    line.key(verb)
    line.int(jobs)
    line.endObject()
    line.endLine()
    try DescriptorSink().write(line.bytes)
    return .ok
  }
}
