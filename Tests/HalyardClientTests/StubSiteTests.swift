import Halyard
import HalyardTesting
import PipelineTesting
import Testing

/// What users of the library test their programs with.
@Suite(.timeLimit(.minutes(10)))
struct StubSiteTests {
  private struct User: Decodable {
    var id: Int
  }

  private static let site = StubSite([
    "http://sho.rt/x": .redirect(to: "https://example.org/", status: 302),
    "https://example.org/": .page("<title>Example</title>"),
    "https://example.org/user": .json(#"{"id": 7}"#),
    "https://example.org/down": .failure(.connect),
    "https://example.org/gone": .page("<title>Gone</title>", status: 404),
  ])

  @Test func `a client works with a stub as with a network`() async throws {
    let client = HalyardClient(stub: Self.site)
    let page = try await client.title("http://sho.rt/x").get()
    #expect(page.title == "Example" && page.titleSource == .title && page.url == "https://example.org/")
    #expect(page.resolved.hops == [.init(url: "http://sho.rt/x", status: 302, via: .location)])
    let user = try await client.decode(
      User.self, from: "https://example.org/user", require: [Requirement("/id", .integer)]
    ).get()
    #expect(user.value.id == 7)
    #expect(try await client.title("https://example.org/down").answer().failure?.kind == .connect)
    #expect(try await client.title("https://example.org/gone").answer().failure?.kind == .httpStatus)
    #expect(try await client.title("https://elsewhere.test/").answer().failure?.kind == .dns)
    try await client.end()
  }

  @Test func `a stub sees each request`() async throws {
    var settings = ClientSettings()
    settings.headers = ["X-Team": "red"]
    let client = try HalyardClient(
      settings,
      stub: StubSite { request in .page("<title>\(request.method) \(request.headers["X-Team"] ?? "")</title>")
      })
    #expect(try await client.title("https://example.org/").get().title == "GET red")
    try await client.end()
  }

  @Test func `a recipe is told texts, numbers and flags`() async throws {
    let recipe = Recipe(
      json: #"""
        {"parameters": {"base": {"type": "url"}, "number": {"type": "integer"}, "all": {"type": "boolean"}},
         "steps": {"it": {"call": "{+base}/{number}/{all}"}}, "output": "$it"}
        """#)
    let client = HalyardClient(stub: StubSite(["https://example.org/3/true": .json("[1, 2]")]))
    let found = try await client.run(
      recipe, ["base": "https://example.org", "number": 3, "all": true], as: [Int].self
    ).get()
    #expect(found.value == [1, 2])
    try await client.end()
  }

  @Test func `a page tells that it was cut`() async throws {
    var settings = ClientSettings.forTests
    settings.largestPage = 1_024
    let long = "<title>A page</title>" + String(repeating: "x", count: 2_000)
    let client = try HalyardClient(settings, stub: StubSite(["http://a.test/": .page(long)]))
    #expect(try await client.title("http://a.test/").get().isTruncated)
    try await client.end()
  }

  @Test func `answers in turn are for retries, and the requests are remembered`() async throws {
    let site = StubSite([
      "http://a.test/": .inTurn([.page("", status: 503), .page("<title>At last</title>")])
    ])
    var settings = ClientSettings()
    settings.retries = 1
    let client = try HalyardClient(settings, stub: site)
    let page = try await client.title("http://a.test/").get()
    #expect(page.title == "At last" && page.resolved.attempts == 2)
    #expect(site.requests.map(\.url) == ["http://a.test/", "http://a.test/"])
    try await client.end()
  }
}
