import Pipeline
import Scheduling

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
