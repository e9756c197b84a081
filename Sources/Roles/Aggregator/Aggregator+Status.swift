import Pipeline

/// How the fleet is, as far as the aggregator knows.
extension Aggregator {
  func statusReport() async throws -> StatusReport {
    let now = ports.clock.now
    return StatusReport(
      program: settings.program, uptimeMilliseconds: now.milliseconds(since: startedAt), fault: commitFault,
      jobs: [], workers: workerReports(at: now), batches: [])
  }

  private func workerReports(at now: Moment) -> [StatusReport.Worker] {
    []
  }
}
