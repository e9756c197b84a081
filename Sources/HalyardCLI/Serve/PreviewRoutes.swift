import HTTPMessages
import HTTPServer
import LinkPreviews
import Pipeline

/// What is under which path.
struct PreviewRoutes: Sendable {
  let desk: PreviewDesk
  let access: PreviewAccess
  let log: AccessLog?
  let probes: ServiceProbes
  let ids: RequestIDs
  private let one: OneLink
  private let many: ManyLinks

  init(
    desk: PreviewDesk, access: PreviewAccess, log: AccessLog?, probes: ServiceProbes, ids: RequestIDs
  ) {
    (self.desk, self.access, self.log, self.probes, self.ids) = (desk, access, log, probes, ids)
    one = OneLink(desk: desk, access: access)
    many = ManyLinks(desk: desk, access: access)
  }

  private static let page = "text/html; charset=utf-8" as StaticString
  private static let year = 31_536_000
  private static let names: Set = [
    "/", "/cards", "/v1/preview", "/v1/previews", "/v1/title", "/v1/unfurl", "/oembed", "/api/oembed",
    "/iframely", "/api/iframely", "/openapi.json", "/healthz", "/readyz", "/metrics",
  ]

  /// What a path is counted under: one of a few, whatever is asked for.
  static func name(of path: String) -> String {
    if names.contains(path) { return path }
    return ["/problems/", "/assets/"].first { path.hasPrefix($0) } ?? "other"
  }

  func react(_ head: RequestHead, _ client: Client) -> Reaction {
    var visit = PreviewVisit(
      head: head, id: ids.next(), client: access.address(of: client, head), log: log, counters: desk.counters)
    do throws(Problem) {
      let path = head.path
      try access.admit(&visit, isOpen: ["/healthz", "/readyz"].contains(path))
      if head.method == .options { return .answer(visit.options) }
      return try route(path, visit)
    } catch {
      return .answer(visit.answer(to: error))
    }
  }

  /// The response to bytes that are not a valid request, or to a request for which there is no room.
  func refuse(_ status: Int, _ reason: String) -> Response {
    let id = ids.next()
    let problem =
      status == 503
      ? Problem("busy", 503, reason, isRetryable: true) : Problem("bad-request", status, reason)
    desk.counters.responded(status, at: "other", cached: nil, microseconds: 0)
    var response = Response(
      ResponseHead(status, contentType: "application/problem+json"), body: problem.json(root: "/", id: id))
    // An id always can stand in a field.
    try? response.head.add("X-Request-Id", id)
    return response
  }

  private func route(_ path: String, _ visit: PreviewVisit) throws(Problem) -> Reaction {
    switch path {
    case "/v1/previews":
      try visit.allow(.post)
      return many.lines(visit)
    case "/cards":
      try visit.allow(.post)
      return many.cards(visit)
    default: try visit.allow(.get, .head)
    }
    switch path {
    case "/": return try many.page(visit)
    case "/v1/preview": return try one.react(visit, .title, .row)
    case "/v1/title": return try one.react(visit, .title, .title)
    case "/v1/unfurl": return try one.react(visit, .unfurl, .row)
    case "/oembed", "/api/oembed": return try one.react(visit, .title, .oembed)
    case "/iframely": return try one.react(visit, .title, .iframelyFlat)
    case "/api/iframely": return try one.react(visit, .title, .iframelyGrouped)
    case "/openapi.json": return .answer(visit.fixed("application/json", PreviewPages.interface))
    case "/healthz", "/readyz", "/metrics": return .answer(probes.answer(path, visit))
    case _ where path.hasPrefix("/problems/"):
      guard let html = ProblemPage.html(of: String(path.dropFirst("/problems/".count)), root: visit.root)
      else { break }
      return .answer(visit.page(html))
    default:
      let assets = [PreviewPages.style, PreviewPages.script, PreviewPages.icon]
      guard let asset = assets.first(where: { path == "/\($0.path)" }) else { break }
      return .answer(visit.fixed(asset.contentType, asset.bytes, seconds: Self.year))
    }
    throw Problem("not-found", 404, "there is nothing at \(path); openapi.json lists what there is")
  }
}

extension PreviewVisit {
  /// Refuses other methods.
  fileprivate func allow(_ methods: RequestHead.Method...) throws(Problem) {
    guard !methods.contains(head.method) else { return }
    let names = methods.map(\.rawValue).joined(separator: ", ")
    var problem = Problem("method-not-allowed", 405, "only \(names) can be used here")
    problem.methods = names
    throw problem
  }

  /// To a browser that asks whether another site's page may ask.
  fileprivate var options: Response {
    answer(
      204, nil,
      [
        ("Allow", "GET, HEAD, POST, OPTIONS"), ("Access-Control-Allow-Methods", "GET, POST"),
        ("Access-Control-Allow-Headers", "Authorization, Content-Type"), ("Access-Control-Max-Age", "86400"),
      ])
  }
}

/// What a kind of problem means, from the documentation's table of failures and a few lines of our own.
enum ProblemPage {
  private static let own = [
    "not-found": "There is nothing at this address.",
    "method-not-allowed": "The address takes another method.",
    "misdirected":
      "The request names a host that this service is not known by. Its names are set with --host-name.",
    "cross-site": "A page of another site sent it. Its origin can be allowed with --allow-origin.",
    "unauthorized": "A token is needed. Whoever runs the service gives them out.",
    "too-many-requests": "More was asked for than the token allows. Retry-After says when to ask again.",
    "denied-host": "Whoever runs the service does not want links of this host.",
    "busy": "More links are being fetched than can be. Ask again soon.",
    "ending": "The service is being stopped or started anew.",
    "unavailable": "Links cannot be fetched now; the detail says why.",
    "not-implemented": "The format is not served.", "pending": "The link is being fetched. Ask again soon.",
    "bad-request": "The request is not HTTP as it should be.",
    "unsupported-media-type": "The body has another type.",
  ]

  static func html(of kind: String, root: String) -> [UInt8]? {
    guard let text = own[kind] ?? reason(for: kind) else { return nil }
    return PreviewPages.note(Problem(kind, 200, "").title, [text], root: root)
  }

  private static func reason(for kind: String) -> String? {
    let lines = String(decoding: PackageResources.FailureKinds_md, as: UTF8.self).split(separator: "\n")
    guard let row = lines.first(where: { $0.hasPrefix("| `\(kind)` |") }) else { return nil }
    let text = row.split(separator: "|").last.map { $0.trimmingSpaces() } ?? ""
    return text.prefix(1).uppercased() + text.dropFirst().replacing("`", with: "") + "."
  }
}
