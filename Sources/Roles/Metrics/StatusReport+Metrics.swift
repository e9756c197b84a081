import Pipeline
import Scheduling

/// The part of the metrics that the status has too.
extension StatusReport {
  var families: [MetricFamily] {
    [
      jobFamily, MetricFamily.runnable.with(.whole(Self.whole(pulse.runnable))), ageFamily, workerFamily,
      MetricFamily.freeCredit.with(.whole(pulse.freeCredit)),
      family("halyard_suspect_jobs", "Open jobs that a worker may have died of.", pulse.suspects),
      family("halyard_silent_workers", "Workers that fell silent and have not come back.", silent.count),
      hostFamily, ledgerFamily, refusedFamily,
      MetricFamily(
        "halyard_stray_results_total", .counter,
        "Results dropped because no job was leased under their token."
      ).with(.whole(work.strays)),
      family(
        "halyard_ledger_reserve_bytes", "Room that is kept on the ledger's disk; 0 when it was given up.",
        care.standing.reserve),
      family(
        "halyard_ledger_missing", "1 while the ledger's file is removed or replaced, else 0.",
        care.standing.missing == nil ? 0 : 1),
      diskFamily, pauseFamily, pauseAgeFamily,
      family(
        "halyard_refused_peers_total", "Connections that were refused because of their keys.",
        refusals.total, .counter),
    ]
  }

  private func family(
    _ name: String, _ help: String, _ count: some BinaryInteger, _ kind: MetricFamily.Kind = .gauge
  ) -> MetricFamily { MetricFamily(name, kind, help).with(.whole(Self.whole(count))) }

  private static func whole(_ count: some BinaryInteger) -> UInt64 { UInt64(clamping: max(0, count)) }

  private var jobFamily: MetricFamily {
    jobs.reduce(MetricFamily("halyard_jobs", .gauge, "Jobs in the ledger by state.")) {
      $0.with(.whole(Self.whole($1.count)), ["state": $1.state])
    }
  }

  /// A state without jobs has no age.
  private var ageFamily: MetricFamily {
    let family = MetricFamily(
      "halyard_oldest_job_age_seconds", .gauge, "Time since the oldest open job of a state was submitted.")
    return pulse.oldest.reduce(family) { family, oldest in
      guard let age = oldest.milliseconds else { return family }
      return family.with(.number(Double(age) / 1_000), ["state": oldest.state.name])
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
    return RefusedMessages.Claim.allCases.reduce(family) {
      $0.with(.whole(work.refused[$1] ?? 0), ["from": $1.rawValue])
    }
  }

  private var hostFamily: MetricFamily {
    MetricFamily("halyard_hosts", .gauge, "Hosts that only fail.")
      .with(.whole(Self.whole(manners.slowHosts)), ["state": "slow"])
      .with(.whole(Self.whole(manners.hostsGivenUp)), ["state": "given_up"])
  }

  private var ledgerFamily: MetricFamily {
    let parts = care.size?.parts ?? [:]
    let family = MetricFamily("halyard_ledger_bytes", .gauge, "What the ledger takes on its disk, by part.")
    return parts.sorted { $0.key.rawValue < $1.key.rawValue }.reduce(family) {
      $0.with(.whole(Self.whole($1.value)), ["part": $1.key.rawValue])
    }
  }

  private var diskFamily: MetricFamily {
    let family = MetricFamily("halyard_disk_free_bytes", .gauge, "Free room on the disk of the ledger.")
    return care.size?.diskFree.map { family.with(.whole(Self.whole($0))) } ?? family
  }

  private var pauseFamily: MetricFamily {
    let counts = [
      ("all", pauses.count { $0 == .all }), ("batch", pauses.count { $0.batch != nil }),
      ("host", pauses.count { $0 != .all && $0.batch == nil }),
    ]
    return counts.reduce(MetricFamily("halyard_pauses", .gauge, "What users have paused.")) {
      $0.with(.whole(Self.whole($1.1)), ["scope": $1.0])
    }
  }

  /// 0 when nothing is paused.
  private var pauseAgeFamily: MetricFamily {
    MetricFamily("halyard_oldest_pause_age_seconds", .gauge, "Time since the oldest pause began.")
      .with(.number(Double(pauses.milliseconds(at: pulse.now) ?? 0) / 1_000))
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
