import Halyard
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
    var settings = ClientSettings()
    settings.retries = 0
    let client = HalyardClient(settings, stub: Self.site)
    let page = try await client.title("http://sho.rt/x").value
    #expect(page.title == "Example" && page.titleSource == .title && page.url == "https://example.org/")
    #expect(page.resolved.hops == [.init(url: "http://sho.rt/x", status: 302, via: .location)])
    let user = try await client.decode(
      User.self, from: "https://example.org/user", require: [Requirement("/id", .integer)]
    ).value
    #expect(user.value.id == 7)
    #expect(try await client.title("https://example.org/down").answer().failure?.kind == .connect)
    #expect(try await client.title("https://example.org/gone").answer().failure?.kind == .httpStatus)
    #expect(try await client.title("https://elsewhere.test/").answer().failure?.kind == .dns)
    try await client.end()
  }

  @Test func `a stub sees each request`() async throws {
    var settings = ClientSettings()
    settings.headers = ["X-Team": "red"]
    let client = HalyardClient(
      settings,
      stub: StubSite { request in .page("<title>\(request.method) \(request.headers["X-Team"] ?? "")</title>")
      })
    #expect(try await client.title("https://example.org/").value.title == "GET red")
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
    ).value
    #expect(found.value == [1, 2])
    try await client.end()
  }
}
