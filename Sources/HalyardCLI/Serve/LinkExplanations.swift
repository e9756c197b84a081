import Assembly
import HTTPMessages
import HTTPServer
import LinkPreviews
import Pipeline
import Posix
import Roles

/// Tells people why a link is shown as it is: what 'halyard explain' says of it, on a page.
struct LinkExplanations: Sendable {
  /// How links are fetched here; nil when a fleet fetches them.
  let settings: PipelineOptions?
  let reading: Reading
  let access: PreviewAccess
  private let underWay = Lock(0)

  /// Each is fetched anew, by a thread of its own.
  private static let most = 4

  func page(_ visit: PreviewVisit) throws(Problem) -> Reaction {
    guard let settings else {
      throw Problem("not-implemented", 501, "a fleet fetches the links here; 'halyard explain' tells the way")
    }
    let question = try PreviewQuestion(query: visit.head.query, kind: .title, as: .row)
    try access.admitFetch(for: question, visit)
    return visit.task { _ throws(Problem) in
      let lines = try await lines(about: question, settings)
      let html = PreviewPages.explanation(of: question.key.link, lines, root: visit.root)
      return .whole(visit.page(html, [("Cache-Control", "no-store")]))
    }
  }

  private func lines(
    about question: PreviewQuestion, _ settings: PipelineOptions
  ) async throws(Problem) -> [String] {
    let number = underWay.withLock { count in
      count += 1
      return count
    }
    defer { underWay.withLock { $0 -= 1 } }
    guard number <= Self.most else {
      throw Problem("busy", 503, "other links are being explained", isRetryable: true, retryAfter: 1)
    }
    var reading = reading
    reading.language = question.key.language ?? reading.language
    do {
      return try await ExplanationReport.make(
        of: question.key.link, reading, settings, within: question.timeoutMilliseconds
      ) { DenyingFetching.wanted(access.denied, $0) }.shownLines.map(Problem.withoutAdvice)
    } catch {
      throw Problem(.underlying, "\(error)")
    }
  }
}
