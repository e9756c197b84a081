import JSONQuery
import Pipeline
import Posix
import Roles

/// The command `watch BATCH`: how far one batch is, until it is complete.
struct WatchCommand {
  let arguments: ParsedArguments
  let batch: BatchText
  let fleet: FleetLinkPlan

  func run() async throws -> ExitCode {
    try await fleet.withLink { link in
      let follower = link.follower
      var updates = 0
      while true {
        let client = updates == 0 ? link.client : follower
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
