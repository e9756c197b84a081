package import Pipeline
import Posix

/// Does one link as fetchers and decoders do, here and now, and tells every step.
package struct LinkExplainer: Sendable {
  private let fetching: any Fetching
  private let clock: any PipelineClock
  private let settings: FetcherSettings

  package init(fetching: any Fetching, clock: any PipelineClock, settings: FetcherSettings) {
    (self.fetching, self.clock, self.settings) = (fetching, clock, settings)
  }

  /// - Parameter job: Of a kind that begins with a link.
  package func explain(_ job: Job) async -> Explanation {
    let steps = Lock<[Explanation.Step]>([])
    var walk = RedirectFollower(fetching: fetching, clock: clock, settings: settings)
    walk.recorder = { step in steps.withLock { $0.append(step) } }
    let worker = WorkerID(job.id.uuid)
    var explanation = Explanation()
    explanation.wantsEmbed = job.reading.wantsEmbed
    var order = JobOrder(job: job, lease: Lease(token: LeaseToken(1), attempt: 1))
    while true {
      let end = await walk.walk(order, through: UnlimitedHostSlots())
      for var step in steps.withLock({ exchange(&$0, with: []) }) {
        step.isForEmbed = order.continuation?.oembed != nil
        explanation.steps.append(step)
      }
      let result: JobResult
      switch FetchReport.outcome(of: order, end, by: worker) {
      case .result(let ended): result = ended
      case .document(let document):
        result = DocumentReader(clock: clock).read(document, by: worker)
        note(document, leadingTo: result.continuation, in: &explanation)
      }
      guard let continuation = result.continuation else {
        (explanation.row, explanation.failure) = (RowComposer.row(of: job, result.answer), result.failure)
        return explanation
      }
      order.continuation = continuation
    }
  }

  /// What the page itself said changes why the last exchange was the last.
  private func note(
    _ document: Document, leadingTo continuation: Continuation?, in explanation: inout Explanation
  ) {
    guard let last = explanation.steps.indices.last, document.continuation?.oembed == nil else { return }
    if let continuation, continuation.oembed != nil {
      explanation.steps[last].rule = .asksEndpoint(continuation.url)
      return
    }
    switch PageRefresh.read(in: document, while: ReadingTime(on: clock)) {
    case .none: break
    case .later(let later): explanation.steps[last].rule = .arrived(later)
    case .leadsOn(let continuation):
      explanation.steps[last].rule = .goesOn(to: continuation.url, via: .metaRefresh)
    }
  }
}
