import Assembly
import HTTPMessages
import HTTPServer
import LinkPreviews
import Links
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
      return try await Explanation.made(
        of: question.key.link, reading, settings, within: question.timeoutMilliseconds
      ) { DenyingFetching.wanted(access.denied, $0) }.shownLines.map(Problem.withoutAdvice)
    } catch {
      throw Problem(.underlying, "\(error)")
    }
  }
}

/// Refuses requests to denied hosts: of the link itself, of each redirect, and of what is asked about a page.
struct DenyingFetching: Fetching {
  let base: any Fetching
  let denied: DeniedHosts

  /// - Returns: The same where nothing is denied.
  static func wanted(_ denied: DeniedHosts, _ fetching: [any Fetching]) -> [any Fetching] {
    denied.names.isEmpty ? fetching : fetching.map { DenyingFetching(base: $0, denied: denied) }
  }

  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    guard let url = try? WebURL(request.url), denied.contains(url.host) else {
      return await base.fetch(request)
    }
    return .failure(
      Failure(
        .blockedAddress, at: .address,
        "fetch \(printableLink(request.url)): links of \(url.hostKey) are not fetched here"))
  }

  func keeps(bytes: Int) { base.keeps(bytes: bytes) }

  var executor: (any TaskExecutor)? { base.executor }
}
