import HTTPMessages
import HTTPServer
import LinkPreviews
import Pipeline
import Posix
import Roles

/// What is under a path.
struct PreviewRoute: Sendable {
  enum Target: Hashable, Sendable {
    case page, cards, explanation, lines
    case link(JobKind, PreviewShape)
    case interface, alive, ready, metrics, problem, asset, nothing
  }

  /// What it is counted under: one of a few, whatever is asked for.
  let name: String
  let target: Target

  private static let targets: [String: Target] = [
    "/": .page, "/cards": .cards, "/explain": .explanation, "/v1/previews": .lines,
    "/v1/preview": .link(.title, .row), "/v1/title": .link(.title, .title),
    "/v1/unfurl": .link(.unfurl, .row),
    "/oembed": .link(.title, .oembed), "/api/oembed": .link(.title, .oembed),
    "/iframely": .link(.title, .iframelyFlat), "/api/iframely": .link(.title, .iframelyGrouped),
    "/openapi.json": .interface, "/healthz": .alive, "/readyz": .ready, "/metrics": .metrics,
    "/problems/": .problem, "/assets/": .asset,
  ]

  init(_ path: String) {
    let folder = ["/problems/", "/assets/"].first { path.hasPrefix($0) }
    name = folder ?? (Self.targets[path] == nil ? "other" : path)
    target = Self.targets[name] ?? .nothing
  }

  var isPost: Bool { target == .cards || target == .lines }
  var methods: String { isPost ? "POST" : "GET, HEAD" }

  func takes(_ method: RequestHead.Method) -> Bool {
    isPost ? method == .post : method == .get || method == .head
  }

  /// It needs no token: probes, and what every page loads and leads to.
  var isOpen: Bool { [.alive, .ready, .asset, .problem].contains(target) }

  var isIframely: Bool {
    if case .link(_, let shape) = target { shape.isIframely } else { false }
  }
}

/// Has each request answered by what is under its path.
struct PreviewRoutes: Sendable {
  let access: PreviewAccess
  let answers: PreviewAnswers
  let explanations: LinkExplanations
  let readiness: Readiness
  let log: AccessLog?
  /// Those of requests count on from it.
  let firstID: UUIDv7
  private let requests = Lock(UInt64(0))

  private static let year = 31_536_000
  private var desk: PreviewDesk { answers.desk }

  private var newID: String {
    let number = requests.withLock { count in
      count += 1
      return count
    }
    return "\(UUIDv7(high: firstID.high, low: firstID.low &+ number))"
  }

  func react(_ head: RequestHead, _ client: Client) -> Reaction {
    var visit = PreviewVisit(
      head: head, route: PreviewRoute(head.path), id: newID, client: access.address(of: client, head),
      log: log, counters: desk.counters)
    do throws(Problem) {
      try access.admit(&visit)
      if head.method == .options { return .answer(visit.options) }
      guard visit.route.takes(head.method) else {
        let methods = visit.route.methods
        let problem = Problem("method-not-allowed", 405, "only \(methods) can be used here")
        return .answer(visit.answer(to: problem, [("Allow", methods)]))
      }
      guard !head.hasBody || visit.route.isPost else {
        throw Problem("content-too-large", 413, "a request of this kind has no body here")
      }
      return try reaction(to: visit)
    } catch {
      return .answer(visit.answer(to: error))
    }
  }

  /// The response to bytes that are not a valid request, or to a request for which there is no room.
  func refuse(_ status: Int, _ reason: String) -> Response {
    let id = newID
    let kinds = [413: "content-too-large", 414: "uri-too-long", 503: "busy"]
    let problem = Problem(kinds[status] ?? "bad-request", status, reason, isRetryable: status == 503)
    desk.counters.responded(status, at: "other", cached: nil, microseconds: 0)
    var response = Response(
      ResponseHead(status, contentType: Problem.mediaType), body: problem.json(root: "/", id: id))
    let fields: PreviewVisit.Fields = [
      ("X-Request-Id", id), ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
    ]
    for (name, value) in fields { response.head.add(name, value) }
    log?.note(id, nil, status: status, bytes: response.body.count)
    return response
  }

  private func reaction(to visit: PreviewVisit) throws(Problem) -> Reaction {
    let path = visit.head.path
    switch visit.route.target {
    case .page: return try answers.page(visit)
    case .cards: return answers.cards(visit)
    case .lines: return answers.lines(visit)
    case .link(let kind, let shape): return try answers.one(visit, kind, shape)
    case .explanation: return try explanations.page(visit)
    case .interface: return .answer(visit.kept("application/json", PreviewPages.interface, "no-cache"))
    case .ready, .alive:
      if visit.route.target == .ready, let problem = readiness.problem { throw problem }
      return .answer(visit.kept("text/plain; charset=utf-8", Array("ok\n".utf8), "no-store"))
    case .metrics:
      return .answer(
        visit.kept(PrometheusText.contentType, PrometheusText.write(desk.families), "no-store"))
    case .problem:
      let kind = String(path.dropFirst(visit.route.name.count))
      guard let html = ProblemPage.html(of: kind, root: visit.root) else { break }
      return .answer(visit.page(html))
    case .asset:
      let assets = [PreviewPages.style, PreviewPages.script, PreviewPages.icon]
      guard let asset = assets.first(where: { path == "/\($0.path)" }) else { break }
      return .answer(
        visit.kept(asset.contentType, asset.bytes, "public, max-age=\(Self.year), immutable"))
    case .nothing: break
    }
    throw Problem("not-found", 404, "there is nothing at \(path); openapi.json lists what there is")
  }
}

extension PreviewVisit {
  fileprivate func kept(_ contentType: StaticString, _ body: [UInt8], _ control: String) -> Response {
    answer(200, contentType, body: body, [("Cache-Control", control)])
  }

  /// What may be asked here, and by a page of an allowed origin whose browser asks for it first.
  fileprivate var options: Response {
    var fields: Fields = [("Allow", "\(route.methods), OPTIONS")]
    if isShared, head["access-control-request-method"] != nil {
      fields += [
        ("Access-Control-Allow-Methods", route.methods),
        ("Access-Control-Allow-Headers", "Authorization, Content-Type"),
        ("Access-Control-Max-Age", "86400"),
      ]
    }
    return answer(204, nil, fields)
  }
}

/// What a kind of problem means, from the documentation's tables of them.
enum ProblemPage {
  static func html(of kind: String, root: String) -> [UInt8]? {
    let lines = String(decoding: PackageResources.FailureKinds_md, as: UTF8.self).split(separator: "\n")
    // A kind that is in both tables means more in the service, which is the second.
    guard let row = lines.last(where: { $0.hasPrefix("| `\(kind)` |") }) else { return nil }
    // Other pages of the documentation are not here.
    let text = row.split(separator: "|").last?.split(separator: ", see <doc:").first.map(String.init) ?? ""
    let plain = text.trimmingSpaces().replacing("`", with: "")
    let sentence = plain.prefix(1).uppercased() + plain.dropFirst() + "."
    return PreviewPages.note(Problem(kind, 200, "").title, [sentence], root: root)
  }
}
