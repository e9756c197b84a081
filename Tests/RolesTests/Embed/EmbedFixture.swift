import Pipeline
import PipelineTesting
import Posix
import Roles

/// A page that names an oEmbed endpoint, and a web that answers for both.
struct EmbedFixture {
  static let page = "http://a.test/dir/page"
  static let endpoint = "http://b.test/oembed?format=json"

  let asked = Lock<[FetchRequest]>([])
  private let answers: @Sendable (FetchRequest) async -> Result<FetchResponse, Failure>

  init(_ pages: [String: FetchResponse]) {
    self.init { request in
      guard let page = pages[request.url] else {
        return .failure(Failure(.dns, at: .dns, "fetch \(request.url): no such host"))
      }
      return .success(page)
    }
  }

  init(_ answers: @escaping @Sendable (FetchRequest) async -> Result<FetchResponse, Failure>) {
    self.answers = answers
  }

  var requests: [FetchRequest] { asked.withLock { $0 } }
  var lines: [String] { requests.map { "\($0.method.rawValue) \($0.url)" } }

  var fetching: ScriptedFetching {
    ScriptedFetching { [asked, answers] request in
      asked.withLock { $0.append(request) }
      return await answers(request)
    }
  }

  func row(
    of page: String = Self.page, in transport: TransportUnderTest = .inProcess, wantsEmbed: Bool = true,
    language: String? = nil, deadlineMilliseconds: Int64? = nil,
    _ change: (inout TestPipeline) -> Void = { _ in }
  ) async throws -> Row {
    var draft = JobDraft(kind: .title, input: page)
    (draft.reading.wantsEmbed, draft.reading.language) = (wantsEmbed, language)
    var pipeline = TestPipeline(transport)
    change(&pipeline)
    let rows = try await pipeline.run(
      [draft], over: fetching, deadlineMilliseconds: deadlineMilliseconds)
    guard let row = rows.first, rows.count == 1 else { throw WrongCount(rows: rows.count) }
    return try Row(row)
  }
}

extension FetchResponse {
  /// A page that names an endpoint.
  static func naming(
    _ endpoint: String = EmbedFixture.endpoint, type: String = "application/json+oembed",
    html: String = "<title>Page</title>"
  ) -> FetchResponse {
    .page("\(html)<link rel=alternate type='\(type)' href='\(endpoint)'>")
  }
}
