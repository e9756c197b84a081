public import Halyard
internal import Posix

/// A web site that is not there, so that your tests can use a client without a network.
///
/// Redirects, charsets, titles, retries and recipes work as they do with a real one.
///
/// ```swift
/// let site = StubSite([
///   "http://sho.rt/x": .redirect(to: "https://example.org/"),
///   "https://example.org/": .inTurn([.page("", status: 503), .page("<title>Example</title>")]),
/// ])
/// let client = HalyardClient(stub: site)
/// #expect(try await client.title("http://sho.rt/x").get().title == "Example")
/// #expect(site.requests.map(\.url).count == 3)
/// ```
public final class StubSite: WebFetching {
  /// What the site says to a request.
  public indirect enum Answer: Hashable, Sendable {
    case response(WebResponse)
    /// No response comes.
    case failure(HalyardError.Kind, message: String = "the stub says so")
    /// One for each request of the same address; the last one stays. There is at least one.
    case inTurn([Answer])

    /// A page of HTML in UTF-8.
    public static func page(_ html: String, status: Int = 200) -> Answer {
      text(html, as: "text/html; charset=utf-8", status)
    }

    /// A JSON document.
    public static func json(_ text: String, status: Int = 200) -> Answer {
      self.text(text, as: "application/json", status)
    }

    /// A redirect.
    public static func redirect(to url: String, status: Int = 301) -> Answer {
      .response(WebResponse(status: status, headers: ["Location": url]))
    }

    private static func text(_ text: String, as type: String, _ status: Int) -> Answer {
      .response(WebResponse(status: status, headers: ["Content-Type": type], body: Array(text.utf8)))
    }
  }

  private let answer: @Sendable (WebRequest) async -> Answer
  private let asked = Lock(Asked())

  private struct Asked: Sendable {
    var requests: [WebRequest] = []
    var counts: [String: Int] = [:]

    /// - Returns: How many there were for its address before.
    mutating func add(_ request: WebRequest) -> Int {
      requests.append(request)
      counts[request.url, default: 0] += 1
      return counts[request.url, default: 1] - 1
    }
  }

  /// - Parameter answer: Called for every request, from any task.
  public init(_ answer: @escaping @Sendable (WebRequest) async -> Answer) {
    self.answer = answer
  }

  /// Answers each address from a table. All others are `HalyardError.Kind.dns`.
  public convenience init(_ answers: [String: Answer]) {
    self.init { request in answers[request.url] ?? .failure(.dns, message: "no such host in the stub") }
  }

  /// All requests until now, in the order in which they came.
  public var requests: [WebRequest] { asked.withLock { $0.requests } }

  /// Answers, and remembers the request.
  public func fetch(_ request: WebRequest) async throws -> WebResponse {
    let earlier = asked.withLock { $0.add(request) }
    return try await answer(request).response(earlier: earlier)
  }
}

extension StubSite.Answer {
  fileprivate func response(earlier: Int) throws(HalyardError) -> WebResponse {
    switch self {
    case .response(let response): return response
    case .failure(let kind, let message): throw HalyardError(kind, at: .connect, message)
    case .inTurn(let answers):
      guard let answer = answers.dropFirst(earlier).first ?? answers.last else {
        throw HalyardError(.underlying, at: .connect, "the stub has no answer in turn")
      }
      return try answer.response(earlier: earlier)
    }
  }
}

extension ClientSettings {
  /// For tests: the defaults, and nothing is tried again.
  public static var forTests: ClientSettings {
    var settings = ClientSettings()
    settings.retries = 0
    return settings
  }
}

extension HalyardClient {
  /// Works as in this process, with a site that is not there, and tries nothing again.
  ///
  /// - Parameter stub: What is fetched instead of anything from the network.
  public convenience init(stub: StubSite) {
    do {
      try self.init(.forTests, stub: stub)
    } catch {
      preconditionFailure("the settings for tests cannot be wrong: \(error)")
    }
  }

  /// Works as in this process, with a site that is not there.
  ///
  /// - Parameters:
  ///   - stub: What is fetched instead of anything from the network.
  ///   - observers: What looks on.
  public convenience init(
    _ settings: ClientSettings, stub: StubSite, observers: [any CallObserver] = []
  ) throws(HalyardError) {
    try self.init(settings, fetching: stub, observers: observers)
  }
}

extension HalyardCall {
  /// A call that has this value.
  public static func returning(_ value: Output) -> HalyardCall { HalyardCall { value } }

  /// A call that fails.
  public static func failing(_ error: HalyardError) -> HalyardCall { HalyardCall { throw error } }
}
