import Pipeline
import Scheduling

/// How the fleet is, as far as the aggregator knows.
extension Aggregator {
  /// The newest batches that a report names.
  private static let batchesShown = 20
  private static let runsShown = 20

  /// `up` says every few seconds how many workers it runs.
  private static let fleetSizeMilliseconds: Int64 = 15_000

  func noteFleetSize(_ size: FleetSize) {
    fleetSize = (size, ports.clock.now.advanced(byMilliseconds: Self.fleetSizeMilliseconds))
  }

  func statusReport() async -> StatusReport {
    let now = ports.clock.now
    let held = registry.leaseCounts
    var report = StatusReport(
      program: settings.program, uptimeMilliseconds: now.milliseconds(since: startedAt),
      fault: ledgerFault?.message ?? health.trouble, work: work, manners: manners(at: now),
      ledger: LedgerSummary(jobs: JobCounts(), batches: []),
      workers: registry.workers.map { id, worker in self.report(on: worker, id, held: held[id] ?? 0) })
    report.silent = registry.silenced.map { self.report(on: $0.worker, $0.id, held: 0) }
    report.isDrained = dispatcher.hasEnded
    report.pulse = pulse(at: now)
    report.care = StatusReport.Care(
      size: care.size, keepsMilliseconds: settings.keepsBatchesMilliseconds,
      work: care.works.first?.run.report, standing: health.standing)
    report.refusals = await refusals()
    report.isUnattended = fleetSize.map { $0.until <= now } ?? false
    report.wanted = fleetSize.flatMap { $0.until > now ? $0.size : nil }
    report.pauses = StatusReport.Pauses(known: pauses.map { KnownPause($0.key, $0.value) })
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

  /// How much it keeps of jobs and of those who work on them, by name: 0 when nothing is open, or it is never let go.
  package var leakCounts: [String: Int] {
    dispatcher.leakCounts.merging(registry.leakCounts) { $1 }.merging(runs.leakCounts) { $1 }
  }

  private func manners(at now: Moment) -> StatusReport.Manners {
    let troubles = dispatcher.troubles(at: now)
    return StatusReport.Manners(
      retriesLeft: retryBudget.left, retriesRefused: retryBudget.refused, slowHosts: troubles.slow,
      hostsGivenUp: troubles.givenUp, cost: givenUpHosts)
  }

  private func report(on worker: WorkerRegistry.Worker, _ id: WorkerID, held: Int) -> StatusReport.Worker {
    StatusReport.Worker(
      id: id, role: worker.role, locality: worker.locality, address: worker.address,
      held: held, freeCredit: dispatcher.freeCredit(of: id),
      heardMillisecondsAgo: registry.watched - worker.heardAt,
      verdict: worker.verdict, program: worker.program, messages: worker.messages,
      sandbox: worker.sandbox)
  }
}
