import Assembly
import Links
import Pipeline
import PipelineTesting
import Roles
import Testing

/// What an explanation tells of robots.txt files.
@Suite(.timeLimit(.minutes(10)))
struct RobotsExplanationTests {
  private static let id = UUIDv7(at: Moment(unixMilliseconds: 1), uniqueHigh: 1, uniqueLow: 2)

  private func explain(_ rules: String) async -> Explanation {
    var settings = FetcherSettings()
    settings.robotsName = ProductToken(userAgent: "halyard")
    let fetching = ScriptedFetching([
      "http://a.test/robots.txt": .redirect(to: "/r"),
      "http://a.test/r": FetchResponse(status: 200, body: Array("User-agent: *\n\(rules)".utf8)),
      "http://a.test/x": .page("<title>x</title>"),
    ])
    let explainer = LinkExplainer(fetching: fetching, clock: SystemClock(), settings: settings)
    return await explainer.explain(
      Job(batch: BatchID(Self.id), ordinal: 0, kind: .title, input: "http://a.test/x"))
  }

  @Test func `the file's exchanges are steps, and the link's own tells the rule`() async throws {
    let steps = await explain("Disallow: /\nAllow: /x").steps
    #expect(steps.map(\.url) == ["http://a.test/robots.txt", "http://a.test/r", "http://a.test/x"])
    #expect(steps.map(\.isForRobots) == [true, true, false])
    #expect(
      steps.map(\.permit) == [nil, nil, "line 3 of http://a.test/robots.txt allows it, 'Allow: /x'"])
    guard case .robots(let told) = try #require(steps.dropFirst().first).rule else {
      Issue.record("\(steps[1].rule)")
      return
    }
    #expect(told == "2 rules are for us, and kept for 86400 s")
  }

  @Test func `a refused link is the last step, without an answer`() async throws {
    let explanation = await explain("Disallow: /")
    #expect(explanation.failure?.kind == .robots)
    #expect(explanation.steps.count == 3)
    let last = try #require(explanation.steps.last)
    #expect(last.url == "http://a.test/x")
    #expect(last.response == nil)
    guard case .failed(let failure) = last.rule else {
      Issue.record("\(last.rule)")
      return
    }
    #expect(failure.message.contains("line 2 of http://a.test/robots.txt refuses it, 'Disallow: /'"))
  }
}
