import Pipeline

/// How the fleet is, as far as the aggregator knows.
extension Aggregator {
  /// The newest batches that a report names.
  private static let batchesShown = 20
  private static let runsShown = 20

  func statusReport() async -> StatusReport {
    let now = ports.clock.now
    var report = StatusReport(
      program: settings.program, uptimeMilliseconds: now.milliseconds(since: startedAt), fault: commitFault,
      work: work,
      manners: manners(at: now), ledger: LedgerSummary(jobs: JobCounts(), batches: []),
      workers: workforce.workers.map { id, worker in self.report(on: worker, id) })
    report.runs = runs.newest(Self.runsShown).map { run in
      StatusReport.Run(
        job: run.job.id, batch: run.job.batch, input: run.job.input, steps: run.stepStates)
    }
    do {
      report.ledger = try await ledger.summary(batches: Self.batchesShown)
    } catch {
      report.fault = report.fault ?? error.message
    }
    return report
  }

  private func manners(at now: Moment) -> StatusReport.Manners {
    let troubles = dispatcher.troubles(at: now)
    return StatusReport.Manners(
      retriesLeft: retryBudget.left, retriesRefused: retryBudget.refused, slowHosts: troubles.slow,
      hostsGivenUp: troubles.givenUp)
  }

  private func report(on worker: Workforce.Worker, _ id: WorkerID) -> StatusReport.Worker {
    StatusReport.Worker(
      id: id, role: worker.role, cell: worker.cell, address: worker.address,
      held: workforce.leases(of: id).count,
      freeCredit: dispatcher.freeCredit(of: id), heardMillisecondsAgo: workforce.watched - worker.heardAt,
      isLeaving: worker.isLeaving, messages: worker.messages)
  }

  /// A commit failed and will be tried again: meanwhile whoever asks how the fleet or a batch is gets an answer, and so
  /// knows that the fleet is not gone. All other messages
  /// wait in their order, as many as one turn takes; of the rest only what nobody would send again.
  func listenMeanwhile(until moment: Moment) async throws {
    while ports.clock.now < moment {
      for delivery in try await inbox.receive(atMost: Self.burst, until: moment) {
        guard case .envelope(let envelope) = delivery, case .query(let query) = envelope.message,
          query.question.changesNothing
        else {
          if waiting.count < Self.burst || !delivery.comesAgain { waiting.append(delivery) }
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

extension Query.Question {
  /// It can be answered while nothing can be committed.
  fileprivate var changesNothing: Bool {
    switch self {
    case .status, .progress: true
    case .rows, .copies, .requeue, .cancel: false
    }
  }
}

extension Delivery {
  /// Its sender repeats it, or what makes up for it, until it is answered.
  fileprivate var comesAgain: Bool {
    guard case .envelope(let envelope) = self else { return false }
    switch envelope.message {
    case .hello, .submit, .result, .credit, .query, .visit: return true
    case .roster, .receipt, .job, .document, .ack, .giveBack, .cancel, .drain, .bye, .answer, .go:
      return false
    }
  }
}
