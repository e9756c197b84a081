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
      case .fresh(let kept): return .answer(visit.answer(kept, as: question.shape, .fresh, at: desk.now))
      case .stale(let kept, _):
        return .answer(visit.answer(kept, as: question.shape, .stale, at: desk.now))
      case .nothing: break
      }
    }
    try access.admitFetch(of: question.key, visit)
    let flight = desk.fetch(question.key, isAnew: question.wantsNew)
    guard question.timeoutMilliseconds > 0 else {
      desk.counters.ended(.late)
      return .answer(
        visit.answer(
          to: Problem("pending", 202, "the link is being fetched; ask again soon", isRetryable: true)))
    }
    return .task { _ in
      switch await desk.outcome(of: flight, within: question.timeoutMilliseconds) {
      case .success(let kept): .whole(visit.answer(kept, as: question.shape, .waited, at: desk.now))
      case .failure(let problem): .whole(visit.answer(to: problem))
      }
    }
  }
}
