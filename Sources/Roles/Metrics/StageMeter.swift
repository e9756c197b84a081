package import Pipeline
import Posix

/// What a worker measures of itself.
package final class StageMeter: MetricsSource {
  private struct State {
    var stage = Histogram.medium
    var failures: UInt64 = 0
    var held = 0
    var free: UInt64?
    var turnedAt: Moment?
    var unreached: Address?
  }

  private let role: Role
  private let version: String
  private let state = Lock(State())

  package init(_ role: Role, version: String) {
    (self.role, self.version) = (role, version)
  }

  /// A job passed this worker's stage.
  func passed(microseconds: Int64, failed: Bool) {
    state.withLock { state in
      state.stage.observe(microseconds: microseconds)
      if failed { state.failures += 1 }
    }
  }

  /// The worker's loop came round.
  ///
  /// - Parameter free: Further jobs that it would take; nil for a worker that takes none from the aggregator.
  func turned(held: Int, free: UInt64?, at now: Moment) {
    state.withLock { ($0.held, $0.free, $0.turnedAt) = (held, free, now) }
  }

  /// - Parameter aggregator: Which one it does not reach; nil when it does.
  func reaches(no aggregator: Address?) {
    state.withLock { $0.unreached = aggregator }
  }

  package var page: MetricsPage? {
    let state = state.withLock { $0 }
    let trouble = state.unreached.map { "it does not reach the fleet at \($0)" }
    return state.turnedAt.map { MetricsPage(families(of: state), trouble: trouble, at: $0) }
  }

  private func families(of state: State) -> [MetricFamily] {
    let stage: KeyValuePairs = ["stage": role == .fetcher ? "fetch" : "decode"]
    let families = [
      MetricFamily.build(role: role.name, version: version),
      MetricFamily("halyard_jobs_held", .gauge, "Jobs that this worker answers for.")
        .with(state.held),
      MetricFamily("halyard_stage_seconds", .histogram, "Time that jobs took in this worker.")
        .with(.histogram(state.stage), stage),
      MetricFamily("halyard_stage_failures_total", .counter, "Jobs that failed in this worker.")
        .with(state.failures, stage),
    ]
    return families
      + (state.free.map { [MetricFamily.freeCredit.with($0)] } ?? [])
  }
}
