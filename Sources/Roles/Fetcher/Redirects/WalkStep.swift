import Links
import Pipeline

/// Receives the steps of a walk; mostly there is none.
typealias WalkRecorder = @Sendable (WalkStep) -> Void

/// One exchange of a walk, and what it means.
struct WalkStep: Sendable {
  enum Decision: Sendable {
    case goesOn(to: String, Via)
    case asksAgain
    case arrived(LaterRefresh?)
    case failed(Failure)
    /// It was the robots.txt; what came of it.
    case robots(String)

    /// - Parameters:
    ///   - page: Where the response came from.
    ///   - now: Where the walk stands because of it.
    init(_ next: RedirectState.Next, at page: String, now: WebURL) {
      switch next {
      case .goesOn(let via): self = .goesOn(to: now.href, via)
      case .arrived(let later): self = .arrived(later)
      case .failed(let fault, _): self = .failed(Failure(fault, at: page))
      }
    }
  }

  let request: FetchRequest
  let result: Result<FetchResponse, Failure>
  let decision: Decision
  /// On the way to a robots.txt, not to where the link leads.
  var isForRobots = false
  /// What the robots.txt has to say to it; nil when it was not asked.
  var permit: String?

  init(_ request: FetchRequest, _ result: Result<FetchResponse, Failure>, _ decision: Decision) {
    (self.request, self.result, self.decision) = (request, result, decision)
  }

  static func onTheWayToRobots(
    _ request: FetchRequest, _ result: Result<FetchResponse, Failure>, _ decision: Decision
  ) -> WalkStep {
    var step = WalkStep(request, result, decision)
    step.isForRobots = true
    return step
  }
}
