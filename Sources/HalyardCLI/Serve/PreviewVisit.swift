import HTTPMessages
import HTTPServer
import LinkPreviews
import Pipeline
import Posix

/// A request, with what every answer to it needs.
struct PreviewVisit: Sendable {
  /// Where an answer about a link came from.
  enum Origin: String, Sendable {
    case fresh, stale, waited
  }

  let head: RequestHead
  /// In the log and in answers.
  let id: String
  let began = SystemTime.monotonicMicroseconds
  let client: String
  var holder: AccessTokens.Holder?
  /// The origin of another site's page that may read the answer.
  var reader: String?
  let log: AccessLog?
  let counters: PreviewCounters

  /// The way from the request's path to the service's root.
  var root: String {
    String(repeating: "../", count: max(0, head.path.utf8.count { $0 == UInt8(ascii: "/") } - 1))
  }

  /// - Parameter cached: Said of the answer in the log.
  func answer(
    _ status: Int, _ contentType: StaticString? = nil, body: [UInt8] = [], cached: String? = nil,
    _ fields: [(StaticString, String)] = []
  ) -> Response {
    var answer = Response(ResponseHead(status, contentType: contentType), body: body)
    for (name, value) in common + fields {
      // What cannot stand in a field is left out.
      try? answer.head.add(name, value)
    }
    note(status, bytes: body.count, cached: cached)
    return answer
  }

  var common: [(StaticString, String)] {
    var fields: [(StaticString, String)] = [("X-Request-Id", id), ("X-Content-Type-Options", "nosniff")]
    if let reader { fields += [("Access-Control-Allow-Origin", reader), ("Vary", "Origin")] }
    return fields
  }

  func answer(to problem: Problem, _ fields: [(StaticString, String)] = []) -> Response {
    var fields = fields + [("Cache-Control", "no-store")]
    if let seconds = problem.retryAfter { fields.append(("Retry-After", "\(seconds)")) }
    if let methods = problem.methods { fields.append(("Allow", methods)) }
    if problem.status == 401 { fields.append(("WWW-Authenticate", "Bearer")) }
    // For people who typed an address; programs do not ask for a page first.
    if head["accept"]?.hasPrefix("text/html") == true {
      let page = PreviewPages.note(problem.title, [problem.detail, "Request \(id)."], root: root)
      return answer(problem.status, "text/html; charset=utf-8", body: page, pagePolicy + fields)
    }
    return answer(problem.status, "application/problem+json", body: problem.json(root: root, id: id), fields)
  }

  var pagePolicy: [(StaticString, String)] {
    [
      ("Content-Security-Policy", "\(PreviewPages.policy)"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Opener-Policy", "same-origin"), ("X-Robots-Tag", "noindex"),
    ]
  }

  func page(_ html: [UInt8], _ fields: [(StaticString, String)] = []) -> Response {
    answer(200, "text/html; charset=utf-8", body: html, pagePolicy + fields)
  }

  /// What does not change while the process runs.
  func fixed(_ contentType: StaticString, _ body: [UInt8], seconds: Int = 0) -> Response {
    answer(
      200, contentType, body: body,
      [("Cache-Control", seconds > 0 ? "public, max-age=\(seconds), immutable" : "no-cache")])
  }

  func note(_ status: Int, bytes: Int, cached: String? = nil) {
    let took = SystemTime.monotonicMicroseconds - began
    counters.responded(status, at: PreviewRoutes.name(of: head.path), cached: cached, microseconds: took)
    log?.note(self, status: status, bytes: bytes, cached: cached, microseconds: took)
  }
}

extension PreviewVisit {
  /// An answer about a link.
  func answer(_ kept: KeptPreview, as shape: PreviewShape, _ origin: Origin, at now: Moment) -> Response {
    guard let rendering = kept.rendering(as: shape) else {
      var problem = kept.problem ?? Problem(.underlying, "")
      if shape == .oembed, problem.status == 422 { problem.status = 404 }
      return answer(to: problem, [("Cache-Status", Self.status(origin, kept, at: now))])
    }
    let left = kept.freshUntil.milliseconds(since: now) / 1_000
    let age = max(0, now.milliseconds(since: kept.storedAt) / 1_000)
    let timing = origin == .waited ? "fetch;dur=\(kept.milliseconds), " : "cache, "
    let took = SystemTime.monotonicMicroseconds - began
    let fields: [(StaticString, String)] = [
      ("ETag", rendering.tag),
      ("Cache-Control", "\(holder == nil ? "public" : "private"), max-age=\(max(0, left) + age)"),
      ("Age", "\(age)"), ("Cache-Status", Self.status(origin, kept, at: now)),
      ("Server-Timing", "\(timing)total;dur=\(took / 1_000).\(took % 1_000 / 100)"),
    ]
    if let known = head["if-none-match"], rendering.status == 200, rendering.tag.isNamed(by: known) {
      return answer(304, cached: origin.rawValue, fields)
    }
    return answer(rendering.status, "application/json", body: rendering.body, cached: origin.rawValue, fields)
  }

  /// RFC 9211.
  private static func status(_ origin: Origin, _ kept: KeptPreview, at now: Moment) -> String {
    let left = kept.freshUntil.milliseconds(since: now) / 1_000
    return switch origin {
    case .fresh: "halyard; hit; ttl=\(left)"
    case .stale: "halyard; fwd=stale; hit; ttl=\(left)"
    case .waited: "halyard; fwd=miss; stored"
    }
  }
}

extension String {
  /// Whether an If-None-Match names this entity tag.
  fileprivate func isNamed(by ifNoneMatch: String) -> Bool {
    EntityTag(String(dropFirst().dropLast()))?.isNamed(by: ifNoneMatch) ?? false
  }
}
