import JSONQuery
import Links
import Pages
import Pipeline

/// Reads one document and writes its job's row.
struct DocumentReader: Sendable {
  let clock: any PipelineClock

  /// For a long document, which would hold up all that shares the caller's thread.
  @concurrent func readOnPool(_ document: Document, by worker: WorkerID) async -> JobResult {
    await withTaskExecutorPreference(globalConcurrentExecutor) { @concurrent in
      read(document, by: worker)
    }
  }

  /// A result that can be sent: no message is larger than a frame.
  func read(_ document: Document, by worker: WorkerID) -> JobResult {
    let start = clock.now
    let result = readWhole(document, by: worker)
    let milliseconds = Int64(document.elapsedMilliseconds) + clock.now.milliseconds(since: start)
    return result.fitting(document.order, milliseconds: milliseconds)
  }

  private func readWhole(_ document: Document, by worker: WorkerID) -> JobResult {
    let start = clock.now
    let findings = document.continuation?.oembed?.findings ?? document.findings
    var row = JSONWriter(reservingCapacity: findings.count + 1_024)
    if !findings.isEmpty { row.raw(findings) }
    let failure: Failure?
    switch read(document, into: &row) {
    case .over(let end): failure = end
    case .leadsOn(let continuation): return result(of: document, leadingTo: continuation, by: worker)
    }
    let milliseconds = Int64(document.elapsedMilliseconds) + clock.now.milliseconds(since: start)
    let result = result(of: document, failure, row.bytes, milliseconds, by: worker)
    guard result.row.count > EnvelopeCodec.longestRow else { return result }
    let tooLong = Failure(
      .bodyTooLarge, at: .json,
      "read \(document.url): its row takes \(result.row.count) bytes, and a message holds \(EnvelopeCodec.longestRow); choose a part of it with --select"
    )
    return self.result(of: document, tooLong, findings, milliseconds, by: worker)
  }

  /// No end: the job goes out again.
  private func result(of document: Document, leadingTo continuation: Continuation, by worker: WorkerID)
    -> JobResult
  {
    var result = JobResult(
      job: document.order.job.id, sender: worker, lease: document.order.lease, failure: nil, row: [])
    result.continuation = continuation
    return result
  }

  private func result(
    of document: Document, _ failure: Failure?, _ findings: [UInt8], _ milliseconds: Int64,
    by worker: WorkerID
  ) -> JobResult {
    var result = JobResult(
      job: document.order.job.id, sender: worker, lease: document.order.lease, failure: failure,
      failedHost: failure.flatMap { _ in try? WebURL(document.url).hostKey },
      row: RowComposer.row(
        of: document.order.job, failure: failure, findings: findings, attempts: document.order.lease.attempt,
        milliseconds: milliseconds))
    result.caching = document.continuation?.oembed.map(\.caching) ?? document.caching
    return result
  }

  private func read(_ document: Document, into row: inout JSONWriter) -> StepEnd {
    if let oembed = document.continuation?.oembed {
      return .over(EmbedStep.read(document, of: oembed, into: &row))
    }
    switch PageRefresh.read(in: document) {
    case .none: break
    case .later(let refresh): refresh.write(to: &row)
    case .leadsOn(let continuation): return .leadsOn(continuation)
    }
    switch document.order.nextStep {
    case .title: return PageStep.read(document, into: &row)
    case .decode: return .over(DataStep.read(document, into: &row))
    case .echo: return .over(EchoStep.read(document, at: clock.microseconds, into: &row))
    case nil where document.continuation != nil: return .over(nil)
    case .unfurl, .run, nil:
      return .over(
        Failure(.underlying, at: .queue, "the routing slip has no step for a decoder; please report this"))
    }
  }
}
