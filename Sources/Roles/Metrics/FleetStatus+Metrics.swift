import JSONQuery
import Pipeline
import Scheduling

/// The part of the metrics that the status has too.
extension FleetStatus {
  /// - Parameters:
  ///   - diskFree: Free bytes on the ledger's disk; nil for a ledger without a file.
  ///   - pausedFor: How many milliseconds ago the oldest pause began.
  func families(diskFree: Int64?, pausedFor milliseconds: Int64) -> [MetricFamily] {
    [
      jobFamily, MetricFamily.runnable.with(.whole(Self.whole(runnable))), ageFamily, workerFamily,
      MetricFamily.freeCredit.with(.whole(freeCredit)),
      family("halyard_suspect_jobs", "Open jobs that a worker may have died of.", suspects),
      family(
        "halyard_silent_workers", "Workers that fell silent and have not come back.", silentWorkers.count),
      hostFamily, ledgerFamily, refusedFamily,
      MetricFamily(
        "halyard_stray_results_total", .counter,
        "Results dropped because no job was leased under their token."
      ).with(.whole(work.strays)),
      family(
        "halyard_ledger_reserve_bytes", "Room that is kept on the ledger's disk; 0 when it was given up.",
        ledger.reserve.bytes),
      family(
        "halyard_ledger_missing", "1 while the ledger's file is removed or replaced, else 0.",
        ledger.missing == nil ? 0 : 1),
      diskFree.map {
        family("halyard_disk_free_bytes", "Free room on the disk of the ledger.", $0)
      } ?? MetricFamily("halyard_disk_free_bytes", .gauge, "Free room on the disk of the ledger."),
      pauseFamily,
      MetricFamily("halyard_oldest_pause_age_seconds", .gauge, "Time since the oldest pause began.")
        .with(.number(Double(milliseconds) / 1_000)),
      family(
        "halyard_refused_peers_total", "Connections that were refused because of their keys.",
        refusedPeers?.total ?? 0, .counter),
    ]
  }

  private func family(
    _ name: String, _ help: String, _ count: some BinaryInteger, _ kind: MetricFamily.Kind = .gauge
  ) -> MetricFamily { MetricFamily(name, kind, help).with(.whole(Self.whole(count))) }

  private static func whole(_ count: some BinaryInteger) -> UInt64 { UInt64(clamping: max(0, count)) }

  private var jobFamily: MetricFamily {
    jobs.all.reduce(MetricFamily("halyard_jobs", .gauge, "Jobs in the ledger by state.")) {
      $0.with(.whole(Self.whole($1.value)), ["state": $1.name])
    }
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
      $0.with(.whole($1.1), ["role": $1.0.role, "version": $1.0.version])
    }
  }

  private var refusedFamily: MetricFamily {
    let family = MetricFamily(
      "halyard_refused_messages_total", .counter,
      "Messages refused because of their sender, by whom they claim to be from.")
    return work.refusedMessages.all.reduce(family) {
      $0.with(.whole($1.value), ["from": $1.name])
    }
  }

  private var hostFamily: MetricFamily {
    MetricFamily("halyard_hosts", .gauge, "Hosts that only fail.")
      .with(.whole(Self.whole(hosts.slow)), ["state": "slow"])
      .with(.whole(Self.whole(hosts.givenUp)), ["state": "given_up"])
  }

  private var ledgerFamily: MetricFamily {
    let family = MetricFamily("halyard_ledger_bytes", .gauge, "What the ledger takes on its disk, by part.")
    return (ledger.room?.parts.all ?? []).sorted { $0.name < $1.name }.reduce(family) {
      $0.with(.whole(Self.whole($1.value)), ["part": $1.name])
    }
  }

  private var pauseFamily: MetricFamily {
    let counts = [
      ("all", paused.count { $0.all != nil }), ("batch", paused.count { $0.batch != nil }),
      ("host", paused.count { $0.host != nil }),
    ]
    return counts.reduce(MetricFamily("halyard_pauses", .gauge, "What users have paused.")) {
      $0.with(.whole(Self.whole($1.1)), ["scope": $1.0])
    }
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
