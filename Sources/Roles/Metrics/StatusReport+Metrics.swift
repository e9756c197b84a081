import Metrics
import Pipeline
import Scheduling

/// The part of the metrics that the status has too.
extension StatusReport {
  var families: [MetricFamily] {
    var jobs = MetricFamily("halyard_jobs", .gauge, "Jobs in the ledger by state.")
    for (state, count) in self.jobs { jobs = jobs.with(.whole(UInt64(max(0, count))), ["state": state]) }
    var workers = MetricFamily("halyard_workers", .gauge, "Workers that speak to the aggregator.")
    for (group, count) in workerCounts {
      workers = workers.with(.whole(count), ["role": group.role, "version": group.version])
    }
    let free = self.workers.reduce(0) { $0 &+ ($1.freeCredit ?? 0) }
    return [
      jobs, workers, MetricFamily.freeCredit.with(.whole(free)),
      MetricFamily("halyard_hosts", .gauge, "Hosts that only fail.")
        .with(.whole(UInt64(max(0, manners.slowHosts))), ["state": "slow"])
        .with(.whole(UInt64(max(0, manners.hostsGivenUp))), ["state": "given_up"]),
      MetricFamily("halyard_refused_peers_total", .counter, "Connections refused because of their keys.")
        .with(.whole(refusals.total)),
    ]
  }

  private struct WorkerGroup: Hashable, Comparable {
    var role: String
    var version: String

    static func < (left: WorkerGroup, right: WorkerGroup) -> Bool {
      (left.role, left.version) < (right.role, right.version)
    }
  }

  private var workerCounts: [(WorkerGroup, UInt64)] {
    var counts: [WorkerGroup: UInt64] = [:]
    for worker in workers where worker.address != nil {
      counts[
        WorkerGroup(role: worker.role.name, version: worker.program?.version.printed ?? ""), default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
