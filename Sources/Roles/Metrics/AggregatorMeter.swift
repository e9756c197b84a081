import Pipeline

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
