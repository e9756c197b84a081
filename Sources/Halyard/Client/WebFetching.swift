internal import Pipeline

/// A request for one address; redirects are requests of their own.
public struct WebRequest: Hashable, Sendable {
  /// The address, with its query.
  public var url: String
  /// `GET` or `HEAD`.
  public var method: String
  /// Those of the client's own, by name.
  public var headers: [String: String]

  /// A request, such as for a test of your own ``WebFetching``.
  public init(url: String, method: String = "GET", headers: [String: String] = [:]) {
    (self.url, self.method, self.headers) = (url, method, headers)
  }
}

/// A response to one request.
public struct WebResponse: Hashable, Sendable {
  /// The HTTP status.
  public var status: Int
  /// By name.
  public var headers: [String: String]
  /// The body, decoded of its content encoding.
  public var body: [UInt8]

  /// A response of your own.
  public init(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// What a client fetches by instead of the network, such as a fake for tests, or an HTTP client of your own.
///
/// Redirects, charsets, titles, retries and recipes work as always. Addresses are not checked: what a link may reach is up
/// to your code.
public protocol WebFetching: Sendable {
  /// Answers one request, and follows no redirect.
  ///
  /// Ends early when its task is cancelled. It may throw a ``HalyardError``, such as one of the kind ``HalyardError/Kind/dns``;
  /// anything else is ``HalyardError/Kind/underlying``.
  func fetch(_ request: WebRequest) async throws -> WebResponse
}

/// The pipeline's way to it.
struct WebFetchingPort: Fetching {
  let web: any WebFetching

  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    do {
      let response = try await web.fetch(WebRequest(request))
      let fields = response.headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }
      return .success(request.body.response(status: response.status, fields, response.body))
    } catch {
      return .failure(Failure(HalyardError(thrown: error), url: request.url))
    }
  }
}

extension WebRequest {
  fileprivate init(_ request: FetchRequest) {
    self.init(
      url: request.url, method: request.method.rawValue,
      headers: Dictionary(request.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" })
  }
}

extension Failure {
  fileprivate init(_ error: HalyardError, url: String) {
    self.init(
      FailureKind(rawValue: error.kind.rawValue) ?? .underlying,
      at: Stage(rawValue: error.stage.rawValue) ?? .connect, "fetch \(url): \(error.message)")
  }
}

extension BodyPolicy {
  /// A response with as much of the body as was asked for.
  fileprivate func response(status: Int, _ headers: [HeaderField], _ body: [UInt8]) -> FetchResponse {
    var response = FetchResponse(status: status, headers: headers)
    switch self {
    case .nothing: break
    case .startOfPage(let cap), .page(let cap):
      response.body = Array(body.prefix(cap))
      if case .page = self { (response.truncated, response.isCapped) = (body.count > cap, body.count > cap) }
    case .whole(let cap):
      if body.count > cap {
        response.bodyFailure = Failure(.bodyTooLarge, at: .body, "the body is longer than \(cap) bytes")
      } else {
        response.body = body
      }
    }
    return response
  }
}
