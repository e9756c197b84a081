import JSONQuery
package import Pipeline
import Posix

/// What a process says of itself.
package struct MetricsPage: Sendable {
  package var families: [MetricFamily]
  /// Why it cannot do its work; nil when it can.
  package var trouble: String?
  /// When its loop came round last.
  package var moment: Moment

  package init(_ families: [MetricFamily], trouble: String? = nil, at moment: Moment) {
    (self.families, self.trouble, self.moment) = (families, trouble, moment)
  }
}

/// Read by a thread that serves it, while a role's loop writes; neither waits for the other.
package protocol MetricsSource: Sendable {
  /// nil before the loop came round for the first time.
  var page: MetricsPage? { get }
}

/// Keeps the page that was shown last.
package final class MetricsBoard: MetricsSource {
  private let shown = Lock<MetricsPage?>(nil)

  package init() {}

  package var page: MetricsPage? { shown.value }

  package func show(_ page: MetricsPage) { shown.value = page }
}

/// What an aggregator has counted since it started. A pure value.
struct AggregatorMeter: Sendable {
  private struct End: Hashable {
    var kind: JobKind
    var end: JobLife.End
    var failure: FailureKind?
  }

  /// What is well from the start, because an increase is seen only of a counter that was there before.
  private var ended = Dictionary(
    uniqueKeysWithValues: JobKind.allCases.flatMap { kind in
      [End(kind: kind, end: .done), End(kind: kind, end: .dead, failure: .poisoned)].map { ($0, UInt64(0)) }
    })
  private(set) var retries: UInt64 = 0
  /// From the time that a job came into memory until a worker got it for the first time.
  private(set) var waits = Histogram.long
  private(set) var attempts = Histogram.medium
  private(set) var commits = Histogram.short
  private(set) var turns = Histogram.short

  mutating func applied(_ event: JobChange.Event) {
    switch event {
    case .ended(let settlement):
      guard let kind = settlement.kind else { return }
      ended[End(kind: kind, end: settlement.end, failure: settlement.failure), default: 0] += 1
    case .failedForNow: retries += 1
    case .granted, .becameDue, .returned, .crashed, .absolved, .requeued: break
    }
  }

  mutating func granted(_ lease: Lease, waitedMilliseconds milliseconds: Int64) {
    if lease.attempt == 1 { waits.observe(milliseconds: milliseconds) }
  }

  mutating func attempted(milliseconds: Int64) { attempts.observe(milliseconds: milliseconds) }
  mutating func committed(microseconds: Int64) { commits.observe(microseconds: microseconds) }
  mutating func turned(microseconds: Int64) { turns.observe(microseconds: microseconds) }

  var families: [MetricFamily] {
    var over = MetricFamily(
      "halyard_jobs_ended_total", .counter,
      "Jobs that are over, by kind, status and error, since the aggregator started.")
    for (end, count) in ended {
      over = over.with(
        count,
        ["kind": end.kind.name, "status": end.end.status, "error": end.failure?.rawValue ?? ""])
    }
    over.samples.sort { $0.labels.map(\.value).lexicographicallyPrecedes($1.labels.map(\.value)) }
    return [
      over,
      MetricFamily("halyard_retries_total", .counter, "Attempts that failed and are made again.")
        .with(retries),
      MetricFamily(
        "halyard_job_wait_seconds", .histogram,
        "Time that jobs waited in the aggregator's memory for their first attempt."
      ).with(.histogram(waits)),
      MetricFamily("halyard_stage_seconds", .histogram, "Time that attempts took, as workers report it.")
        .with(.histogram(attempts), ["stage": "attempt"]),
      MetricFamily("halyard_commit_seconds", .histogram, "Time that commits of the ledger took.")
        .with(.histogram(commits)),
      MetricFamily("halyard_turn_seconds", .histogram, "Time that turns of the aggregator's loop took.")
        .with(.histogram(turns)),
    ]
  }
}

extension JobLife.End {
  /// As rows have it.
  fileprivate var status: String {
    switch self {
    case .done: "ok"
    case .dead: "failed"
    case .cancelled: "cancelled"
    }
  }
}

/// What an aggregator shows of itself, at most once a second.
extension Aggregator {
  private static let metricsMilliseconds: Int64 = 1_000

  var isMeasured: Bool { ports.board != nil }

  func measureWait(of assignment: Dispatcher.Assignment, at now: Moment) {
    guard isMeasured, let entry = dispatcher.jobs[assignment.order.job.id] else { return }
    meter.granted(assignment.order.lease, waitedMilliseconds: now.milliseconds(since: entry.arrivedAt))
  }

  func showMetrics(at now: Moment) async {
    guard let board = ports.board, nextMetrics.map({ $0 <= now }) ?? true else { return }
    nextMetrics = now.advanced(byMilliseconds: Self.metricsMilliseconds)
    let (status, trouble) = await status()
    let pausedFor = sharing.pauses.values.map { now.milliseconds(since: $0.at) }.max() ?? 0
    let families = status.families(diskFree: chores.care.size?.diskFree, pausedFor: max(0, pausedFor))
    board.show(
      MetricsPage(
        [.build(role: Role.aggregator.name, version: settings.program.version)] + families
          + meter.families, trouble: trouble, at: now))
  }
}

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
      MetricFamily(
        "halyard_ledger_lost", .gauge, "1 if an earlier ledger was gone at the start, else 0."
      ).with(ledger.lost == nil ? 0 : 1),
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
