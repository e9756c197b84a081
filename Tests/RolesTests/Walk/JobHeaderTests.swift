import Pipeline
import PipelineTesting
import Roles
import Testing

/// Headers and languages that jobs bring along, which any producer of a fleet may write.
@Suite(.timeLimit(.minutes(10)))
struct JobHeaderTests {
  private static let refused: [(headers: [String], language: String?)] = [
    (["X: a\r\nY: b"], nil), (["X"], nil), (["a b: c"], nil), (["Host: b.test"], nil), ([": a"], nil),
    ([], "de\r\nY: b"),
  ]

  private func draft(_ headers: [String], _ language: String?) -> JobDraft {
    var draft = JobDraft(kind: .unfurl, input: "http://a.test/1")
    (draft.reading.headers, draft.reading.language) = (headers, language)
    return draft
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `they reach the fetcher over every transport, and stand for the fleet's own`(
    transport: TransportUnderTest
  ) async throws {
    let fixture = WalkFixture([
      "http://a.test/1": .redirect(to: "http://b.test/2"), "http://b.test/2": FetchResponse(status: 200),
    ])
    var pipeline = TestPipeline(transport)
    pipeline.settings.fetcher.ownHeaders = [HeaderField("X-Key", "1"), HeaderField("X-Room", "2")]
    _ = try await pipeline.run([draft(["x-key:  3", "X-More:"], "de")], over: fixture.fetching)
    let sent = fixture.requests.map { $0.headers.map { "\($0.name)=\($0.value)" } }
    #expect(sent == [["X-Room=2", "x-key=3", "X-More=", "Accept-Language=de"], ["Accept-Language=de"]])
  }

  @Test func `what would break a request fails its job, and nothing is fetched`() async throws {
    let fixture = WalkFixture(["http://a.test/1": FetchResponse(status: 200)])
    let drafts = Self.refused.map { draft($0.headers, $0.language) }
    let rows = try await TestPipeline(.inProcess).run(drafts, over: fixture.fetching)
    #expect(rows.count == drafts.count)
    for row in rows { #expect(try Row(row)["error.kind"] == "invalid_input") }
    #expect(fixture.requests.isEmpty)
  }
}
