import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// Where the headers go that the user gave for a run.
@Suite(.timeLimit(.minutes(10)))
struct RunHeaderTests {
  /// Runs with a key, and returns which addresses were asked with it and which without.
  private func asked(
    _ steps: String, _ parameters: [String] = [], over pages: [String: FetchResponse]
  ) async throws -> (own: Set<String>, others: Set<String>) {
    let sent = Lock<[FetchRequest]>([])
    var pipeline = TestPipeline()
    pipeline.settings.fetcher.ownHeaders = [HeaderField("Authorization", "Bearer x")]
    pipeline.settings.aggregator.retry = RetryRule(retries: 0)
    let recipe =
      #"{"parameters": {"base": {"type": "url", "default": "http://a.test"}}, "steps": {\#(steps)}, "output": 1}"#
    _ = try await pipeline.run(
      [RunSite.draft(recipe, parameters)],
      over: ScriptedFetching { request in
        sent.withLock { $0.append(request) }
        return .success(pages[request.url] ?? RunSite.json("[1]"))
      })
    let (own, others) = sent.withLock { sent in
      let isOwn = { (request: FetchRequest) in request.headers.contains { $0.value == "Bearer x" } }
      return (sent.filter(isOwn), sent.filter { !isOwn($0) })
    }
    return (Set(own.map(\.url)), Set(others.map(\.url)))
  }

  @Test func `a next page elsewhere is asked for without them, and so is what follows`() async throws {
    let (own, others) = try await asked(
      #""s": {"call": "{+base}/", "next": {"pointer": "/n"}, "select": "/d"}"#,
      over: [
        "http://a.test/": RunSite.json(#"{"d": [], "n": "/2"}"#),
        "http://a.test/2": RunSite.json(#"{"d": [], "n": "http://evil.test/"}"#),
        "http://evil.test/": .redirect(to: "http://a.test/3"),
        "http://a.test/3": RunSite.json(#"{"d": []}"#),
      ])
    #expect(own == ["http://a.test/", "http://a.test/2"])
    #expect(others == ["http://evil.test/", "http://a.test/3"])
  }

  @Test func `a Link header leads nobody's headers elsewhere`() async throws {
    let (own, others) = try await asked(
      #""s": {"call": "{+base}/", "next": {"link": "next"}}"#,
      over: [
        "http://a.test/": RunSite.json(
          "[]", headers: [HeaderField("Link", "<https://a.test/2>; rel=next")])
      ])
    #expect(own == ["http://a.test/"])
    #expect(others == ["https://a.test/2"])
  }

  @Test(arguments: [
    ("{+input}", "http://evil.test/x"), ("http://a.test{input}/", ".evil.test"),
    ("http://{input}/", "evil.test"), ("{+base}{+input}/", "@evil.test"), ("http:///{input}/", "evil.test"),
  ])
  func `an answer that names the host has none of them`(call: String, answer: String) async throws {
    let (own, others) = try await asked(
      #""l": {"call": "{+base}/"}, "s": {"each": "$l", "call": "\#(call)"}"#,
      over: ["http://a.test/": RunSite.json("[\"\(answer)\"]")])
    #expect(own == ["http://a.test/"])
    #expect(others.count == 1)
    #expect(others.allSatisfy { $0.contains("evil.test/") })
  }

  @Test func `an answer that leads back home has them`() async throws {
    let (own, others) = try await asked(
      #""l": {"call": "{+base}/"}, "s": {"each": "$l", "call": "{+input}"}"#,
      over: ["http://a.test/": RunSite.json(#"["http://a.test/x", "http://a.test:81/x"]"#)])
    #expect(own == ["http://a.test/", "http://a.test/x"])
    #expect(others == ["http://a.test:81/x"])
  }

  @Test func `every site that the recipe or a parameter names has them`() async throws {
    let (own, others) = try await asked(
      #""a": {"call": "{+base}/"}, "b": {"call": "http://b.test{/input}", "input": "$a/0"}"#,
      ["base=http://c.test"], over: [:])
    #expect(own == ["http://c.test/", "http://b.test/1"])
    #expect(others.isEmpty)
  }
}
