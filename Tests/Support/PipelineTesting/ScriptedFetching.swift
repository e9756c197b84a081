package import Pipeline

/// A network that answers as the test says.
package struct ScriptedFetching: Fetching {
  package typealias Script = @Sendable (FetchRequest) async -> Result<FetchResponse, Failure>

  private let script: Script

  package init(_ script: @escaping Script) {
    self.script = script
  }

  /// Answers each URL from a table; anything else is a name that does not exist.
  package init(_ pages: [String: FetchResponse]) {
    script = { request in
      guard let page = pages[request.url] else {
        return .failure(Failure(.dns, at: .dns, "fetch \(request.url): no such host"))
      }
      return .success(page)
    }
  }

  package func fetch(_ request: FetchRequest) async -> Result<FetchResponse, Failure> {
    await script(request)
  }
}

extension FetchResponse {
  /// A page of HTML.
  package static func page(_ html: String, status: Int = 200) -> FetchResponse {
    FetchResponse(
      status: status, headers: [HeaderField("Content-Type", "text/html; charset=utf-8")],
      body: Array(html.utf8))
  }

  /// A JSON answer.
  package static func json(_ text: String, status: Int = 200) -> FetchResponse {
    FetchResponse(
      status: status, headers: [HeaderField("Content-Type", "application/json")], body: Array(text.utf8))
  }

  /// A redirect.
  package static func redirect(to location: String, status: Int = 301) -> FetchResponse {
    FetchResponse(status: status, headers: [HeaderField("Location", location)])
  }
}
