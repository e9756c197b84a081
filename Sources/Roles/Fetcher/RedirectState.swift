import JSONQuery
import Links
import Pipeline

/// One job's walk under way: what the next request carries, and what the last response means.
struct RedirectState {
  private(set) var chain: RedirectChain
  private var own: OwnHeaders
  private var cookies: [String] = []
  private var method: FetchRequest.Method
  private var mayFallBack: Bool
  private var hops: [Hop] = []
  /// Of an earlier part of the walk, as JSON.
  private let earlierHops: [UInt8]
  /// It does not lead to the page, but to what is asked about it.
  let isOEmbed: Bool

  /// Statuses of servers that do not like HEAD, or not as they like GET.
  private static let headRefusals: Set<Int> = [400, 401, 403, 404, 405, 406, 429, 500, 501, 503]

  /// Begins with the job's link, or goes on where a page led to.
  init(_ order: JobOrder, _ settings: FetcherSettings, asking method: FetchRequest.Method) throws(Failure) {
    let link = try Intake.link(of: order.job)
    let continuation = order.continuation
    earlierHops = continuation?.hops ?? []
    isOEmbed = continuation?.oembed != nil
    cookies = continuation?.cookies ?? []
    self.method = continuation == nil ? method : .get
    mayFallBack = continuation == nil && method == .head
    own = OwnHeaders(
      of: link, given: try settings.ownHeaders(for: order.job, at: link),
      language: try order.job.languageHeader(), hosts: settings.hosts, continuation: continuation)
    own.yield(to: cookies)
    chain = RedirectChain(start: link, maxHops: settings.maxHops)
    guard let continuation else { return }
    let target: WebURL
    do {
      target = try WebURL(continuation.url)
    } catch {
      throw Failure(.protocolError, at: .redirect, "follow \(continuation.url): \(error.message)")
    }
    guard !isOEmbed else {
      chain = RedirectChain(start: target, maxHops: settings.maxHops, stateToken: stateToken)
      return
    }
    let (chain, step) = RedirectChain.resumed(
      after: continuation.visits, at: target, maxHops: settings.maxHops, stateToken: stateToken)
    self.chain = chain
    guard case .failed(let fault) = step else { return }
    throw Failure(fault, at: continuation.url)
  }

  mutating func request(_ body: BodyPolicy, deadline: Moment) -> FetchRequest {
    var request = FetchRequest(
      url: chain.current.requestURL, method: method, headers: own.headers(for: chain.current),
      body: method == .head ? .nothing : body, deadline: deadline)
    request.cookies = cookies
    return request
  }

  /// Whether the same is asked again with GET; once in a walk.
  mutating func fallsBack(after result: Result<FetchResponse, Failure>) -> Bool {
    guard mayFallBack, method == .head else { return false }
    switch result {
    case .success(let response) where !Self.headRefusals.contains(response.status): return false
    case .failure(let failure) where !failure.isOfTransport: return false
    case .success, .failure: break
    }
    (mayFallBack, method) = (false, .get)
    return true
  }

  mutating func answered(_ response: FetchResponse, milliseconds: Int64) -> Explanation.Rule {
    cookies = response.cookies
    let page = chain.current
    own.yield(to: response, from: page)
    let (rule, via) = step(after: response, at: page)
    if case .arrived = rule { return rule }
    hops.append(Hop(page, response, via: via, milliseconds: milliseconds))
    return rule
  }

  /// It carries, or carried, what is for one user alone.
  var isPrivate: Bool { own.isPrivate }

  /// The hops so far as JSON.
  var hopsJSON: [UInt8] { hops.json(after: earlierHops) }

  /// How it goes on should the page lead on.
  func continuation(from page: Hop, elapsed milliseconds: Int64) -> Continuation {
    Continuation(
      url: page.url, hops: (hops + [page]).json(after: earlierHops), visits: chain.visits,
      cookies: cookies, hasLeft: own.hasLeft, elapsedMilliseconds: UInt32(clamping: milliseconds))
  }

  /// How it leads on, or was to, too; without a Location nothing does.
  private mutating func step(after response: FetchResponse, at page: WebURL) -> (Explanation.Rule, Via?) {
    switch chain.answered(
      status: response.status, locations: response.values(of: "location"), stateToken: stateToken)
    {
    case .follow(_, let next):
      if next == .get { method = .get }
      return (.goesOn(to: chain.current.href, via: .location), .location)
    case .failed(let fault):
      let via: Via? = if case .missingTarget = fault { nil } else { .location }
      return (.failed(Failure(fault, at: page.href)), via)
    case .final: return refresh(in: response, at: page)
    }
  }

  private mutating func refresh(in response: FetchResponse, at page: WebURL) -> (Explanation.Rule, Via?) {
    guard (200..<300).contains(response.status),
      let refresh = response.header("refresh").flatMap(Refresh.init),
      let target = refresh.target(from: page, base: page)
    else { return (.arrived(nil), nil) }
    guard refresh.isFollowed else {
      return (.arrived(LaterRefresh(seconds: refresh.seconds, url: target.href)), nil)
    }
    switch chain.refreshed(to: target, stateToken: stateToken) {
    case .failed(let fault): return (.failed(Failure(fault, at: page.href)), .refreshHeader)
    case .follow, .final: return (.goesOn(to: chain.current.href, via: .refreshHeader), .refreshHeader)
    }
  }

  /// What a request carries besides its URL, for the loop rule.
  private var stateToken: UInt64 {
    CookieState.token(of: cookies) ^ own.token
  }
}

extension Failure {
  /// Of the exchange itself, which another method may spare.
  fileprivate var isOfTransport: Bool { [.connect, .protocolError, .timeout].contains(kind) }
}

/// How a response leads on.
package enum Via: String, Sendable {
  case location
  case refreshHeader = "refresh_header"
  case metaRefresh = "meta_refresh"
}

/// A response on the way that led on to another address.
struct Hop: Sendable {
  var url: String
  var status: Int
  /// How it led on; nil when it was to lead on and did not say where.
  var via: Via?
  var address: String?
  var milliseconds: Int64

  init(_ url: WebURL, _ response: FetchResponse, via: Via?, milliseconds: Int64) {
    self.url = url.href
    self.via = via
    status = response.status
    address = response.remoteAddress
    self.milliseconds = milliseconds
  }

  func write(to row: inout JSONWriter) {
    row.beginObject()
    row.member("url", url)
    row.member("status", status)
    row.member("via", via?.rawValue)
    row.member("ms", max(0, milliseconds))
    row.member("address", address)
    row.endObject()
  }
}

extension [Hop] {
  /// As JSON objects with commas between them, behind those of an earlier part of the walk.
  func json(after earlier: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return earlier }
    var row = JSONWriter(reservingCapacity: earlier.count + 160 * count)
    if !earlier.isEmpty { row.raw(earlier) }
    for hop in self { hop.write(to: &row) }
    return row.bytes
  }
}

/// A refresh that waits too long to be a redirect: told in the row, not followed.
package struct LaterRefresh: Sendable {
  package var seconds: Int
  package var url: String

  func write(to row: inout JSONWriter) {
    row.beginObject("refresh")
    row.member("seconds", seconds)
    row.member("url", url)
    row.endObject()
  }
}

/// What the loop rule has to know of a job's cookies.
enum CookieState {
  /// A hash of all but their expiry, which moves with the time; 0 without cookies.
  ///
  /// - Parameter lines: In the form of Netscape's cookie file: domain, subdomains, path, secure, expiry, name, value.
  static func token(of lines: [String]) -> UInt64 {
    guard !lines.isEmpty else { return 0 }
    var hash = StableHash()
    for line in lines.sorted() {
      for (place, field) in line.split(separator: "\t", omittingEmptySubsequences: false).enumerated()
      where place != expiry {
        hash.add(String(field))
      }
    }
    return hash.value
  }

  private static let expiry = 4
}
