package import Pipeline
package import Posix

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

/// How often a supervisor started its children again.
package final class RestartMeter: MetricsSource {
  private struct Restart: Hashable {
    var role: String
    var cause: String
  }

  private let version: String
  private let clock: any PipelineClock
  /// From the start, because an increase is seen only of a counter that was there before.
  private let counts = Lock(
    Dictionary(
      uniqueKeysWithValues: [Role.aggregator, .fetcher, .decoder].flatMap { role in
        ["exited", "killed"].map { (Restart(role: role.name, cause: $0), UInt64(0)) }
      }))

  package init(version: String, clock: any PipelineClock) {
    (self.version, self.clock) = (version, clock)
  }

  package func restarted(_ plan: ChildPlan, after ending: ChildEnding) {
    let cause =
      switch ending {
      case .exited: "exited"
      case .killed: "killed"
      }
    // A name is a role, or a role and a number.
    let role = String(plan.name.prefix { $0 != " " })
    counts.withLock { $0[Restart(role: role, cause: cause), default: 0] += 1 }
  }

  /// A supervisor has no loop that could stand still.
  package var page: MetricsPage? {
    let restarts = MetricFamily(
      "halyard_worker_restarts_total", .counter, "Workers that were started again, by how they had ended.")
    let all = counts.withLock { $0 }.sorted { ($0.key.role, $0.key.cause) < ($1.key.role, $1.key.cause) }
    let family = all.reduce(restarts) {
      $0.with($1.value, ["role": $1.key.role, "cause": $1.key.cause])
    }
    return MetricsPage([.build(role: "up", version: version), family], at: clock.now)
  }
}

/// What more than one role has.
extension MetricFamily {
  /// The first of every process's families.
  package static func build(role: String, version: String) -> MetricFamily {
    MetricFamily("halyard_build_info", .gauge, "The role and version of this process; always 1.")
      .with(1, ["role": role, "version": version])
  }

  static let runnable = MetricFamily(
    "halyard_jobs_runnable", .gauge, "Jobs in the aggregator's memory that could start now.")

  static let freeCredit = MetricFamily(
    "halyard_credit_free", .gauge, "Further jobs that fetchers would take now.")
}
