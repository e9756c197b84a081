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
    let report = await statusReport()
    board.show(
      MetricsPage(
        [.build(role: Role.aggregator.name, version: settings.program.version)] + report.families
          + meter.families, trouble: report.trouble, at: now))
  }

  /// The ledger is waited for: what was shown stays, and it is said that nothing goes on.
  func showTrouble(_ error: LedgerError, at now: Moment) {
    guard let board = ports.board else { return }
    board.show(MetricsPage(board.page?.families ?? [], trouble: error.message, at: now))
  }
}
