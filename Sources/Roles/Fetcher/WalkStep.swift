import Links
import Pipeline

/// Whoever wants to know how a walk goes; mostly nobody.
typealias WalkRecorder = @Sendable (WalkStep) -> Void

/// One exchange of a walk, and what it means.
struct WalkStep: Sendable {
  enum Decision: Sendable {
    case goesOn(to: String, Via)
    case asksAgain
    case arrived(LaterRefresh?)
    case failed(Failure)

    /// - Parameters:
    ///   - page: Where the response came from.
    ///   - now: Where the walk stands because of it.
    init(_ next: WalkState.Next, at page: String, now: WebURL) {
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

  init(_ request: FetchRequest, _ result: Result<FetchResponse, Failure>, _ decision: Decision) {
    (self.request, self.result, self.decision) = (request, result, decision)
  }
}
