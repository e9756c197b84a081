import HTTPMessages
import HTTPServer
import LinkPreviews
import Pipeline
import Posix

/// A request, with what every answer to it needs.
struct PreviewVisit: Sendable {
  typealias Fields = [(StaticString, String)]

  let head: RequestHead
  let route: PreviewRoute
  /// In the log and in answers.
  let id: String
  let began = SystemTime.monotonicMicroseconds
  let client: String
  var holder: AccessTokens.Holder?
  /// What tells browsers, and caches, whether a page of another site may read the answer.
  var sharing: Fields = []
  var isShared = false
  let log: AccessLog?
  let counters: PreviewCounters

  /// The way from the request's path to the service's root.
  var root: String {
    String(repeating: "../", count: max(0, head.path.utf8.count { $0 == UInt8(ascii: "/") } - 1))
  }

  var common: Fields { [("X-Request-Id", id), ("X-Content-Type-Options", "nosniff")] + sharing }

  /// - Parameter cached: Said of the answer in the log.
  func answer(
    _ status: Int, _ contentType: StaticString? = nil, body: [UInt8] = [], cached: String? = nil,
    _ fields: Fields = []
  ) -> Response {
    var answer = Response(ResponseHead(status, contentType: contentType), body: body)
    for (name, value) in common + fields { answer.head.add(name, value) }
    note(status, bytes: body.count, cached: cached)
    return answer
  }

  func page(
    _ html: [UInt8], status: Int = 200, cached: String? = nil, _ fields: Fields = []
  ) -> Response {
    let policy: Fields = [
      ("Content-Security-Policy", PreviewPages.policy), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Robots-Tag", "noindex"),
    ]
    return answer(status, "text/html; charset=utf-8", body: html, cached: cached, policy + fields)
  }

  /// - Parameter cached: Where the problem comes from that is kept of a link.
  func answer(to problem: Problem, cached: String? = nil, _ fields: Fields = []) -> Response {
    var fields = fields + [("Cache-Control", "no-store")]
    if let seconds = problem.retryAfter { fields.append(("Retry-After", "\(seconds)")) }
    if problem.status == 401 { fields.append(("WWW-Authenticate", "Bearer")) }
    if route.isIframely {
      let (status, body) = problem.iframely
      return answer(status, "application/json", body: body, cached: cached, fields)
    }
    // For people who typed an address; programs do not ask for a page first.
    if head["accept"]?.hasPrefix("text/html") == true {
      let note = PreviewPages.note(problem.title, [problem.detail, "Request \(id)."], root: root)
      return page(note, status: problem.status, cached: cached, fields)
    }
    let body = problem.json(root: root, id: id)
    return answer(problem.status, Problem.mediaType, body: body, cached: cached, fields)
  }

  /// Answers once it has the body; what is thrown is the answer, too.
  func task(
    bodyLimit: Int = 0, _ work: @escaping @Sendable (Request) async throws(Problem) -> Reply
  ) -> Reaction {
    .task(bodyLimit: bodyLimit) { request in
      do throws(Problem) { return try await work(request) } catch { return .whole(answer(to: error)) }
    }
  }

  func note(_ status: Int, bytes: Int, cached: String? = nil) {
    let took = SystemTime.monotonicMicroseconds - began
    counters.responded(status, at: route.name, cached: cached, microseconds: took)
    log?.note(id, self, status: status, bytes: bytes, cached: cached, microseconds: took)
  }
}

extension PreviewVisit {
  /// An answer about a link.
  func answer(_ found: FoundPreview, to question: PreviewQuestion, at now: Moment) -> Response {
    let (kept, cached) = (found.preview, found.origin.rawValue)
    let left = kept.freshUntil.milliseconds(since: now) / 1_000
    // RFC 9211.
    let status =
      switch found.origin {
      case .fresh: "halyard; hit; ttl=\(left)"
      case .stale: "halyard; fwd=stale; hit; ttl=\(left)"
      case .waited: "halyard; fwd=miss; stored"
      }
    if var problem = kept.problem {
      if question.shape == .oembed, problem.status == 422 { problem.status = 404 }
      return answer(to: problem, cached: cached, [("Cache-Status", status)])
    }
    let rendering = kept.rendering(as: question.shape(for: kept))
    let age = max(0, now.milliseconds(since: kept.storedAt) / 1_000)
    let timing = found.origin == .waited ? "fetch;dur=\(kept.milliseconds), " : "cache, "
    let took = SystemTime.monotonicMicroseconds - began
    // Who wants it anew wants it so from whatever stands between, too.
    let control =
      question.wantsNew
      ? "no-cache" : "\(holder == nil ? "public" : "private"), max-age=\(max(0, left) + age)"
    let fields: Fields = [
      ("ETag", "W/\(rendering.tag.text)"), ("Cache-Control", control),
      ("Age", "\(age)"), ("Cache-Status", status),
      ("Server-Timing", "\(timing)total;dur=\(took / 1_000).\(took % 1_000 / 100)"),
    ]
    if rendering.tag.isNamed(by: head.values("if-none-match").joined(separator: ",")) {
      return answer(304, cached: cached, fields)
    }
    return answer(200, "application/json", body: rendering.body, cached: cached, fields)
  }
}
