import Links
package import Pipeline

/// What became of a link, exchange by exchange.
package struct Explanation: Sendable {
  package var steps: [Step] = []
  /// The row of the job that was explained.
  package var row: [UInt8] = []
  /// nil when the job ended well.
  package var failure: Failure?
  /// The job wishes its page's oEmbed endpoint asked.
  package var wantsEmbed = false

  /// Of a link that nothing is known of yet.
  package init() {}

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

    package init(
      url: String, method: FetchRequest.Method, sent: [String], response: FetchResponse?, rule: Rule
    ) {
      self.url = url
      self.method = method
      self.sent = sent
      self.response = response
      self.rule = rule
    }
  }

  /// Why a walk went on, or stopped.
  package enum Rule: Sendable {
    /// By a Location, a Refresh header or a page's refresh, as rows name them.
    case goesOn(to: String, via: String)
    /// HEAD was refused.
    case asksAgainWithGet
    case arrived
    /// It is the page, and there is more to ask about it.
    case asksEndpoint(String)
    /// There is a refresh, and it waits too long.
    case refreshTooLate(seconds: Int, url: String)
    case failed(Failure)
    /// It was the robots.txt; what came of it.
    case robots(String)
  }
}

/// Receives the exchanges of a walk; mostly there is none.
typealias WalkRecorder = @Sendable (Explanation.Step) -> Void

extension Explanation.Step {
  init(_ request: FetchRequest, _ result: Result<FetchResponse, Failure>, _ rule: Explanation.Rule) {
    self.init(
      url: request.url, method: request.method, sent: request.headers.map(\.name),
      response: try? result.get(), rule: rule)
    if !request.cookies.isEmpty, !sent.contains("Cookie") { sent.append("Cookie") }
  }

  static func onTheWayToRobots(
    _ request: FetchRequest, _ result: Result<FetchResponse, Failure>, _ rule: Explanation.Rule
  ) -> Explanation.Step {
    var step = Explanation.Step(request, result, rule)
    step.isForRobots = true
    return step
  }
}

extension Explanation.Rule {
  /// - Parameters:
  ///   - page: Where the response came from.
  ///   - now: Where the walk stands because of it.
  init(_ next: RedirectState.Next, at page: String, now: WebURL) {
    switch next {
    case .goesOn(let via): self = .goesOn(to: now.href, via: via.rawValue)
    case .arrived(nil): self = .arrived
    case .arrived(let later?): self = .refreshTooLate(seconds: later.seconds, url: later.url)
    case .failed(let fault, _): self = .failed(Failure(fault, at: page))
    }
  }
}
