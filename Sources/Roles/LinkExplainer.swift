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
      let end = await walk.walk(order)
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

/// What became of a link, exchange by exchange.
package struct Explanation: Sendable {
  package var steps: [Step] = []
  /// The row of the job that was explained.
  package var row: [UInt8] = []
  /// nil when the job ended well.
  package var failure: Failure?
  /// The job wishes its page's oEmbed endpoint asked.
  package var wantsEmbed = false

  /// One exchange, and the rule that decided what came next.
  package struct Step: Sendable {
    package var url: String
    package var method: FetchRequest.Method
    /// Names of what was sent because the user gave it: headers, and Cookie for the job's own cookies too.
    package var sent: [String]
    /// nil when there was none.
    package var response: FetchResponse?
    package var rule: Rule
    /// On the way to a robots.txt, not to where the link leads.
    package var isForRobots = false
    /// On the way to what the page names as its oEmbed endpoint; the way of its robots.txt counts too.
    package var isForEmbed = false
    /// What the robots.txt has to say to it; nil when it was not asked, or when it refused.
    package var permit: String?
  }

  /// Why a walk went on, or stopped.
  package enum Rule: Sendable {
    case goesOn(to: String, via: Via)
    /// HEAD was refused.
    case asksAgainWithGet
    /// The refresh that is there waits too long to be followed; nil without one.
    case arrived(LaterRefresh?)
    /// It is the page, and there is more to ask about it.
    case asksEndpoint(String)
    case failed(Failure)
    /// It was the robots.txt; what came of it.
    case robots(String)
  }
}

/// Receives the exchanges of a walk; mostly there is none.
typealias WalkRecorder = @Sendable (Explanation.Step) -> Void

extension Explanation.Step {
  init(
    _ request: FetchRequest, _ result: Result<FetchResponse, Failure>, _ rule: Explanation.Rule,
    permit: String? = nil, isForRobots: Bool = false
  ) {
    self.init(
      url: request.url, method: request.method, sent: request.headers.map(\.name),
      response: try? result.get(), rule: rule, isForRobots: isForRobots, permit: permit)
    if !request.cookies.isEmpty, !sent.contains("Cookie") { sent.append("Cookie") }
  }
}
