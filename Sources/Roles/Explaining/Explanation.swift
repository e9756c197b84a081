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
      response: try? result.get(), rule: rule)
    (self.permit, self.isForRobots) = (permit, isForRobots)
    if !request.cookies.isEmpty, !sent.contains("Cookie") { sent.append("Cookie") }
  }
}
