internal import Pipeline

/// A web site that is not there, so that your tests can use a client without a network.
///
/// Redirects, charsets, titles, retries and recipes work as they do with a real one.
///
/// ```swift
/// let client = HalyardClient(
///   stub: StubSite([
///     "http://sho.rt/x": .redirect(to: "https://example.org/"),
///     "https://example.org/": .page("<title>Example</title>"),
///   ]))
/// #expect(try await client.title("http://sho.rt/x").value.title == "Example")
/// ```
public struct StubSite: Sendable {
  /// A request for one address; redirects are requests of their own.
  public struct Request: Hashable, Sendable {
    /// The address, with its query.
    public var url: String
    /// `GET` or `HEAD`.
    public var method: String
    /// Those of the client's own, by name.
    public var headers: [String: String]
  }

  /// What the site says to a request.
  public enum Answer: Hashable, Sendable {
    case response(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = [])
    /// No response comes; the call may be tried again.
    case failure(HalyardError.Kind, message: String = "the stub says so")

    /// A page of HTML in UTF-8.
    public static func page(_ html: String, status: Int = 200) -> Answer {
      .response(status: status, headers: ["Content-Type": "text/html; charset=utf-8"], body: Array(html.utf8))
    }

    /// A JSON document.
    public static func json(_ text: String, status: Int = 200) -> Answer {
      .response(status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }

    /// A redirect.
    public static func redirect(to url: String, status: Int = 301) -> Answer {
      .response(status: status, headers: ["Location": url])
    }
  }

  private let answer: @Sendable (Request) async -> Answer

  /// - Parameter answer: Called for every request, from any task.
  public init(_ answer: @escaping @Sendable (Request) async -> Answer) {
    self.answer = answer
  }

  /// Answers each address from a table. All others are ``HalyardError/Kind/dns``.
  public init(_ answers: [String: Answer]) {
    self.init { request in answers[request.url] ?? .failure(.dns, message: "no such host in the stub") }
  }
}

/// The pipeline's way to a stub.
struct StubFetching: Fetching {
  let site: StubSite

  func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    switch await site.answer(to: request) {
    case .response(let status, let headers, let body):
      let fields = headers.sorted { $0.key < $1.key }.map { HeaderField($0.key, $0.value) }
      return .success(request.body.response(status: status, fields, body))
    case .failure(let kind, let message):
      let kind = FailureKind(rawValue: kind.rawValue) ?? .underlying
      return .failure(Failure(kind, at: .connect, "fetch \(request.url): \(message)"))
    }
  }
}

extension StubSite {
  fileprivate func answer(to request: FetchRequest) async -> Answer {
    let headers = request.headers.map { ($0.name, $0.value) }
    return await answer(
      Request(
        url: request.url, method: request.method.rawValue, headers: Dictionary(headers) { "\($0), \($1)" }))
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
