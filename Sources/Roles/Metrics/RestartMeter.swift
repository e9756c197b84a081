package import Pipeline
package import Posix

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
