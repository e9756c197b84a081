import Assembly
import Links
import Pipeline
import PipelineTesting
import Roles
import Testing

/// What an explanation tells of a page's oEmbed endpoint.
@Suite(.timeLimit(.minutes(10)))
struct EmbedExplanationTests {
  private static let id = UUIDv7(at: Moment(unixMilliseconds: 1), uniqueHigh: 1, uniqueLow: 2)
  private static let page = EmbedFixture.page
  private static let endpoint = EmbedFixture.endpoint

  private func explain(
    _ pages: [String: FetchResponse], wantsEmbed: Bool = true, _ settings: FetcherSettings = .init()
  ) async throws -> (explanation: Explanation, row: Row) {
    let explainer = LinkExplainer(
      fetching: ScriptedFetching(pages), clock: SystemClock(), settings: settings)
    var job = Job(batch: BatchID(Self.id), ordinal: 0, kind: .title, input: Self.page)
    job.reading.wantsEmbed = wantsEmbed
    let explanation = await explainer.explain(job)
    return (explanation, try Row(NumberedRow(number: 1, ordinal: 0, failure: nil, json: explanation.row)))
  }

  private func isAsking(_ step: Explanation.Step?) -> Bool {
    if case .asksEndpoint(Self.endpoint) = step?.rule { true } else { false }
  }

  @Test func `the page's step names the endpoint, whose steps are marked`() async throws {
    let (told, row) = try await explain([
      Self.page: .naming(), Self.endpoint: .redirect(to: "/2"),
      "http://b.test/2": .json(#"{"type":"link","author_name":"Ann"}"#),
    ])
    #expect(told.steps.map(\.url) == [Self.page, Self.endpoint, "http://b.test/2"])
    #expect(told.steps.map(\.isForEmbed) == [false, true, true])
    #expect(isAsking(told.steps.first))
    #expect(told.failure == nil)
    #expect(row["card.author"] == "Ann")
  }

  @Test func `a refresh in what the endpoint answers leads nowhere, and is not told`() async throws {
    let (told, row) = try await explain([
      Self.page: .naming(),
      Self.endpoint: .page("<meta http-equiv=refresh content='0;url=/elsewhere'><title>No</title>"),
    ])
    #expect(told.steps.map(\.url) == [Self.page, Self.endpoint])
    guard case .arrived(nil) = told.steps.last?.rule else {
      Issue.record("\(told.steps.map(\.rule))")
      return
    }
    #expect(row["card.embed_error.kind"] == "data_parsing_failed")
  }

  @Test func `the endpoint's robots txt is told on its way`() async throws {
    var settings = FetcherSettings()
    settings.robotsName = ProductToken(userAgent: "halyard")
    let (told, row) = try await explain(
      [
        Self.page: .naming(), "http://a.test/robots.txt": FetchResponse(status: 404),
        "http://b.test/robots.txt": FetchResponse(
          status: 200, body: Array("User-agent: *\nDisallow: /oembed".utf8)),
      ], settings)
    #expect(told.steps.map(\.isForRobots) == [true, false, true, false])
    #expect(told.steps.map(\.isForEmbed) == [false, false, true, true])
    #expect(isAsking(told.steps[1]))
    #expect(row["card.embed_error.kind"] == "robots")
  }

  @Test func `nobody asks where nobody wants it`() async throws {
    let (told, row) = try await explain([Self.page: .naming()], wantsEmbed: false)
    #expect(told.steps.map(\.url) == [Self.page])
    #expect(row["card.embed_error"] == nil)
  }
}
