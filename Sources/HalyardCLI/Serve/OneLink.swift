import HTTPMessages
import HTTPServer
import LinkPreviews
import Pipeline

/// Answers about one link.
struct OneLink: Sendable {
  let desk: PreviewDesk
  let access: PreviewAccess

  func react(_ visit: PreviewVisit, _ kind: JobKind, _ shape: PreviewShape) throws(Problem) -> Reaction {
    let isIframely = shape == .iframelyFlat || shape == .iframelyGrouped
    let question = try PreviewQuestion(query: visit.head.query, kind: kind, as: shape, takesRest: isIframely)
    if !question.wantsNew {
      switch desk.find(question.key) {
      case .fresh(let kept): return .answer(told(kept, question, .fresh, visit))
      case .stale(let kept, _): return .answer(told(kept, question, .stale, visit))
      case .nothing: break
      }
    }
    try access.admitFetch(of: question.key, visit)
    let flight = desk.fetch(question.key)
    guard question.timeoutMilliseconds > 0 else {
      return .answer(
        visit.answer(
          to: Problem("pending", 202, "the link is being fetched; ask again soon", isRetryable: true)))
    }
    return .task { _ in
      switch await flight.outcome(within: question.timeoutMilliseconds) {
      case .success(let kept): .whole(told(kept, question, .waited, visit))
      case .failure(let problem): .whole(visit.answer(to: problem))
      case nil:
        .whole(visit.answer(to: late()))
      }
    }
  }

  private func late() -> Problem {
    desk.counters.count(.late)
    return .late
  }

  private func told(
    _ kept: KeptPreview, _ question: PreviewQuestion, _ origin: PreviewVisit.Origin, _ visit: PreviewVisit
  ) -> Response {
    desk.counters.count(origin.event)
    return visit.answer(kept, as: question.shape, origin, at: desk.now)
  }
}

extension PreviewVisit.Origin {
  var event: PreviewCounters.Event {
    switch self {
    case .fresh: .fresh
    case .stale: .stale
    case .waited: .waited
    }
  }
}
