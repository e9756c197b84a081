import LedgerMemory
import Links
import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// What is said to some hosts alone.
@Suite(.timeLimit(.minutes(10)))
struct HostRequestTests {
  private static let ok = FetchResponse.page("<title>x</title>")

  private func hosts(
    _ headers: [HeaderField] = [HeaderField("X-Key", "a's")], agent: String? = nil,
    for name: String = "a.test"
  ) -> HostRequests {
    var hosts = HostRequests()
    hosts.headers[HostPattern(name)] = headers
    hosts.userAgents[HostPattern(name)] = agent
    return hosts
  }

  /// URL and headers of each request.
  private func said(_ fixture: WalkFixture) -> [String] {
    fixture.requests.map { request in
      ([request.url] + request.headers.map { "\($0.name): \($0.value)" }).joined(separator: " ")
    }
  }

  @Test func `a host's headers go to it whichever way a walk comes there, and to no other`() async throws {
    let fixture = WalkFixture([
      "http://a.test/1": .redirect(to: "http://b.test/2"),
      "http://b.test/2": .redirect(to: "http://a.test:81/3"),
      "http://a.test:81/3": .redirect(to: "http://www.a.test/4"), "http://www.a.test/4": Self.ok,
    ])
    _ = try await fixture.row("http://a.test/1") { $0.hosts = hosts(agent: "curl/8") }
    #expect(
      said(fixture) == [
        "http://a.test/1 X-Key: a's User-Agent: curl/8", "http://b.test/2",
        "http://a.test:81/3 X-Key: a's User-Agent: curl/8", "http://www.a.test/4",
      ])
  }

  @Test func `where a page leads on, too`() async throws {
    let fixture = WalkFixture(["http://b.test/": .turn("0;http://a.test/2"), "http://a.test/2": Self.ok])
    _ = try await fixture.row(.title, "http://b.test/") { $0.hosts = hosts() }
    #expect(said(fixture) == ["http://b.test/", "http://a.test/2 X-Key: a's"])
  }

  @Test func `they stand for the user's own of their names, whatever the case`() async throws {
    let fixture = WalkFixture(["http://a.test/": .redirect(to: "http://b.test/"), "http://b.test/": Self.ok])
    _ = try await fixture.row("http://user:word@a.test/") {
      $0.ownHeaders = [HeaderField("x-key", "mine"), HeaderField("User-Agent", "me"), HeaderField("Z", "z")]
      $0.hosts = hosts(
        [HeaderField("X-Key", "1"), HeaderField("AUTHORIZATION", "Bearer x")], agent: "curl/8")
    }
    #expect(
      said(fixture) == [
        "http://a.test/ Z: z X-Key: 1 AUTHORIZATION: Bearer x User-Agent: curl/8", "http://b.test/",
      ])
  }

  @Test func `headers may be secrets, and go over http only where the walk began there`() async throws {
    let fixture = WalkFixture([
      "https://a.test/": .redirect(to: "http://a.test/1"),
      "http://a.test/1": .redirect(to: "https://a.test/2"),
      "https://a.test/2": Self.ok,
    ])
    _ = try await fixture.row("https://a.test/") { $0.hosts = hosts(agent: "curl/8") }
    #expect(
      said(fixture) == [
        "https://a.test/ X-Key: a's User-Agent: curl/8", "http://a.test/1 User-Agent: curl/8",
        "https://a.test/2 X-Key: a's User-Agent: curl/8",
      ])
  }

  @Test(arguments: [
    ("a.test", "lang=en"), (".a.test", "lang=en"), ("#HttpOnly_a.test", "lang=en"), ("b.test", nil),
  ])
  func `a host's cookie yields to one that the host sets, and to no other's`(
    domain: String, left: String?
  ) async throws {
    let line = "\(domain)\tFALSE\t/\tFALSE\t0\tsession\t1"
    let fixture = WalkFixture([
      "http://b.test/": FetchResponse.redirect(to: "http://a.test/").keeping(line),
      "http://a.test/": Self.ok.keeping(line),
    ])
    _ = try await fixture.row("http://b.test/") {
      $0.hosts = hosts([HeaderField("Cookie", "session=0; lang=en")])
    }
    #expect(fixture.requests.map { $0.headers.map(\.value) } == [[], [left ?? "session=0; lang=en"]])
  }

  @Test func `robots.txt is asked for as its host wants, and read for the name that is used there`()
    async throws
  {
    let file = FetchResponse(
      status: 200, headers: [HeaderField("Content-Type", "text/plain")],
      body: Array("User-agent: special\nDisallow: /\n".utf8))
    let fixture = WalkFixture([
      "http://a.test/robots.txt": file, "http://a.test/": Self.ok, "http://b.test/robots.txt": file,
      "http://b.test/": Self.ok,
    ])
    var outcomes: [String?] = []
    for link in ["http://a.test/", "http://b.test/"] {
      let row = try await fixture.row(link) {
        $0.hosts = hosts(agent: "special/1")
        $0.robotsName = ProductToken(userAgent: "usual")
      }
      outcomes.append(row["error.kind"])
    }
    #expect(outcomes == ["robots", nil])
    #expect(
      said(fixture) == [
        "http://a.test/robots.txt X-Key: a's User-Agent: special/1", "http://b.test/robots.txt",
        "http://b.test/",
      ])
  }

  @Test func `answers to a host's headers are not kept, others are`() async throws {
    let web = CountedWeb()
    let cache = MemoryResultCache()
    var settings = FetcherSettings()
    settings.hosts = hosts()
    settings.hosts.userAgents[HostPattern("b.test")] = "curl/8"
    func cached(_ link: String) async throws -> String? {
      var pipeline = TestPipeline(.inProcess)
      pipeline.caching = AnswerCaching(in: cache, for: CacheRule(answersMilliseconds: 3_600_000))
      pipeline.settings.fetcher = settings
      return try await pipeline.run([JobDraft(kind: .title, input: link)], over: web.fetching).map(Row.init)
        .first?["cached"]
    }
    for _ in 0..<2 { #expect(try await cached("http://a.test/1") == nil) }
    #expect(try await cached("http://b.test/1") == nil)
    #expect(try await cached("http://b.test/1") == "true")
    #expect(web.requests == 3)
  }
}
