import JSONQuery
import Pipeline
import PipelineTesting
import Posix
import Roles

/// A small web for one walk: answers by path, in order where there are several, and keeps what was asked.
struct WalkFixture {
  /// What a URL answers; the last answer stands.
  typealias Pages = [String: [FetchResponse]]

  let asked = Lock<[FetchRequest]>([])
  private let pages: Pages

  init(_ pages: Pages) {
    self.pages = pages
  }

  init(_ pages: [String: FetchResponse]) {
    self.init(pages.mapValues { [$0] })
  }

  var requests: [FetchRequest] { asked.withLock { $0 } }

  /// Method and URL of each request.
  var lines: [String] { requests.map { "\($0.method.rawValue) \($0.url)" } }

  func row(_ input: String, _ change: (inout FetcherSettings) -> Void = { _ in }) async throws -> Row {
    try await row(.unfurl, input, change)
  }

  func row(
    _ kind: JobKind, _ input: String, in transport: TransportUnderTest = .inProcess,
    _ change: (inout FetcherSettings) -> Void = { _ in }
  ) async throws -> Row {
    var pipeline = TestPipeline(transport)
    change(&pipeline.settings.fetcher)
    let rows = try await pipeline.run([JobDraft(kind: kind, input: input)], over: fetching)
    guard let row = rows.first, rows.count == 1 else { throw WrongCount(rows: rows.count) }
    return try Row(row)
  }

  var fetching: ScriptedFetching {
    ScriptedFetching { [asked, pages] request in
      let call = asked.withLock { asked in
        asked.append(request)
        return asked.count { $0.url == request.url } - 1
      }
      guard let answers = pages[request.url], !answers.isEmpty else {
        return .failure(Failure(.dns, at: .dns, "fetch \(request.url): no such host"))
      }
      return .success(answers[min(call, answers.count - 1)])
    }
  }
}

extension FetchResponse {
  func with(_ name: String, _ value: String) -> FetchResponse {
    var response = self
    response.headers.append(HeaderField(name, value))
    return response
  }

  /// As the adapter tells what cookies there are now.
  func keeping(_ cookies: String...) -> FetchResponse {
    var response = self
    response.cookies = cookies
    return response
  }

  /// A page that leads on.
  static func turn(_ content: String, html: String = "") -> FetchResponse {
    .page("<title>Turning</title><meta http-equiv=refresh content=\"\(content)\">\(html)")
  }
}

extension Row {
  /// Each hop as `status via url`.
  var walk: [String] {
    get throws {
      let hops = try JSONDocument(parsing: Array((self["hops"] ?? "[]").utf8)).root
      return hops.elements.map { hop in
        "\(hop["status"]?.int64 ?? 0) \(hop["via"]?.string ?? "") \(hop["url"]?.string ?? "")"
      }
    }
  }
}
