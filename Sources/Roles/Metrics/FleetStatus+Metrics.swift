import JSONQuery
import Pipeline
import Scheduling

/// The part of the metrics that the status has too.
extension FleetStatus {
  /// - Parameters:
  ///   - diskFree: Free bytes on the ledger's disk; nil for a ledger without a file.
  ///   - pausedFor: How many milliseconds ago the oldest pause began.
  func families(diskFree: Int64?, pausedFor milliseconds: Int64) -> [MetricFamily] {
    let disk = MetricFamily("halyard_disk_free_bytes", .gauge, "Free room on the disk of the ledger.")
    return [
      MetricFamily("halyard_jobs", .gauge, "Jobs in the ledger by state.").with(jobs.all, by: "state"),
      MetricFamily.runnable.with(runnable), ageFamily, workerFamily, MetricFamily.freeCredit.with(freeCredit),
      MetricFamily("halyard_suspect_jobs", .gauge, "Open jobs that a worker may have died of.")
        .with(suspects),
      MetricFamily("halyard_silent_workers", .gauge, "Workers that fell silent and have not come back.")
        .with(silentWorkers.count),
      MetricFamily("halyard_hosts", .gauge, "Hosts that only fail.")
        .with([("slow", hosts.slow), ("given_up", hosts.givenUp)], by: "state"),
      MetricFamily("halyard_ledger_bytes", .gauge, "What the ledger takes on its disk, by part.")
        .with((ledger.room?.parts.all ?? []).sorted { $0.name < $1.name }, by: "part"),
      MetricFamily(
        "halyard_refused_messages_total", .counter,
        "Messages refused because of their sender, by whom they claim to be from."
      ).with(work.refusedMessages.all, by: "from"),
      MetricFamily(
        "halyard_stray_results_total", .counter,
        "Results dropped because no job was leased under their token."
      ).with(work.strays),
      MetricFamily(
        "halyard_ledger_reserve_bytes", .gauge,
        "Room that is kept on the ledger's disk; 0 when it was given up."
      ).with(ledger.reserve.bytes),
      MetricFamily(
        "halyard_ledger_missing", .gauge, "1 while the ledger's file is removed or replaced, else 0."
      ).with(ledger.missing == nil ? 0 : 1),
      diskFree.map { disk.with($0) } ?? disk, pauseFamily,
      MetricFamily("halyard_oldest_pause_age_seconds", .gauge, "Time since the oldest pause began.")
        .with(.number(Double(milliseconds) / 1_000)),
      MetricFamily(
        "halyard_refused_peers_total", .counter, "Connections that were refused because of their keys."
      ).with(refusedPeers?.total ?? 0),
    ]
  }

  /// A state without jobs has no age.
  private var ageFamily: MetricFamily {
    let family = MetricFamily(
      "halyard_oldest_job_age_seconds", .gauge, "Time since the oldest open job of a state was submitted.")
    return oldestMs.all.reduce(family) { family, oldest in
      guard let age = oldest.value.wrappedValue else { return family }
      return family.with(.number(Double(age) / 1_000), ["state": oldest.name])
    }
  }

  private var workerFamily: MetricFamily {
    workerCounts.reduce(MetricFamily("halyard_workers", .gauge, "Workers that speak to the aggregator.")) {
      $0.with($1.1, ["role": $1.0.role, "version": $1.0.version])
    }
  }

  private var pauseFamily: MetricFamily {
    let counts = [
      ("all", paused.count { $0.all != nil }), ("batch", paused.count { $0.batch != nil }),
      ("host", paused.count { $0.host != nil }),
    ]
    return MetricFamily("halyard_pauses", .gauge, "What users have paused.").with(counts, by: "scope")
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
      counts[WorkerGroup(role: worker.role, version: worker.version ?? ""), default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
