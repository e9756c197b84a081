import Pipeline

/// How the fleet is, as far as the aggregator knows.
extension Aggregator {
  /// The newest batches that a report names.
  private static let batchesShown = 20

  func statusReport() async -> StatusReport {
    let now = ports.clock.now
    var report = StatusReport(
      program: settings.program, uptimeMilliseconds: now.milliseconds(since: startedAt), fault: commitFault,
      work: work,
      ledger: LedgerSummary(jobs: JobCounts(), batches: []),
      workers: workforce.workers.map { id, worker in self.report(on: worker, id) })
    do {
      report.ledger = try await ledger.summary(batches: Self.batchesShown)
    } catch {
      report.fault = report.fault ?? error.message
    }
    return report
  }

  private func report(on worker: Workforce.Worker, _ id: WorkerID) -> StatusReport.Worker {
    StatusReport.Worker(
      id: id, role: worker.role, cell: worker.cell, address: worker.address,
      held: workforce.leases(of: id).count,
      freeCredit: dispatcher.freeCredit(of: id), heardMillisecondsAgo: workforce.watched - worker.heardAt,
      isLeaving: worker.isLeaving, messages: worker.messages)
  }

  /// A commit failed and will be tried again: meanwhile whoever asks how the fleet is hears of it. All other messages
  /// wait in their order, as many as one turn takes; the rest waits with its senders.
  func listenMeanwhile(until moment: Moment) async throws {
    while ports.clock.now < moment {
      let room = Self.burst - waiting.count
      guard room > 0 else { return try await ports.clock.sleep(until: moment) }
      for delivery in try await inbox.receive(atMost: room, until: moment) {
        guard case .envelope(let envelope) = delivery, case .query(let query) = envelope.message,
          query.question == .status
        else {
          waiting.append(delivery)
          continue
        }
        work.messages += 1
        await switchboard.meet(query.replyTo)
        await answer([query])
        switchboard.flush()
      }
    }
  }
}
