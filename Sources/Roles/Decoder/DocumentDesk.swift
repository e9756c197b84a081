import JSONQuery
import Links
import Pages
import Pipeline

/// Reads one document and writes its job's row.
struct DocumentDesk: Sendable {
  let clock: any PipelineClock

  func read(_ document: Document, by worker: WorkerID) -> JobResult {
    let start = clock.now
    var row = JSONWriter(reservingCapacity: document.findings.count + 1_024)
    if !document.findings.isEmpty { row.raw(document.findings) }
    let failure = read(document, into: &row)
    let order = document.order
    let milliseconds = Int64(document.elapsedMilliseconds) + clock.now.milliseconds(since: start)
    return JobResult(
      job: order.job.id, sender: worker, lease: order.lease, failure: failure,
      failedHost: failure.flatMap { _ in try? WebURL(document.url).hostKey },
      row: RowComposer.row(
        of: order.job, failure: failure, findings: row.bytes, attempts: order.lease.attempt,
        milliseconds: milliseconds))
  }

  private func read(_ document: Document, into row: inout JSONWriter) -> Failure? {
    switch document.order.nextStep {
    case .title: PageStep.read(document, into: &row)
    case .decode: DataStep.read(document, into: &row)
    case .echo: EchoStep.read(document, at: clock.microseconds, into: &row)
    case .unfurl, nil:
      Failure(.underlying, at: .queue, "the routing slip has no step for a decoder; please report this")
    }
  }
}
