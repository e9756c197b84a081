import Halyard
import HalyardTesting
import PipelineTesting
import Testing

/// Answers that a client keeps for later calls.
@Suite(.timeLimit(.minutes(10)))
struct ClientCacheTests {
  private func client(_ site: StubSite) throws -> HalyardClient {
    var settings = ClientSettings.forTests
    settings.cache = ClientSettings.Cache(answers: .seconds(3_600))
    return try HalyardClient(settings, stub: site)
  }

  private let site = StubSite { request in
    .page("<title>For \(request.headers["Accept-Language"] ?? request.headers["Cookie"] ?? "all")</title>")
  }

  @Test func `the second call with a link has the answer of the first`() async throws {
    let client = try client(site)
    let first = try await client.title("http://a.test/").get()
    #expect(first.resolved.age == nil)
    let second = try await client.title("http://a.test/").get()
    #expect(second.title == first.title && second.resolved.age != nil)
    // Another question.
    #expect(try await client.unfurl("http://a.test/").get().age == nil)
    #expect(site.requests.count == 2)
    try await client.end()
  }

  @Test func `a language has answers of its own, and what headers bring is not kept`() async throws {
    let client = try client(site)
    for language in ["de", "en", "de"] {
      let page = try await client.title("http://a.test/", options: CallOptions(language: language)).get()
      #expect(page.title == "For \(language)")
    }
    #expect(site.requests.count == 2)
    for cookie in ["a=1", "a=1"] {
      let page = try await client.title("http://a.test/", options: CallOptions(headers: ["Cookie": cookie]))
        .get()
      #expect(page.title == "For \(cookie)" && page.resolved.age == nil)
    }
    #expect(site.requests.count == 4)
    try await client.end()
  }

  @Test func `a failure that may pass is asked for again`() async throws {
    let site = StubSite(["http://a.test/": .inTurn([.page("", status: 503), .page("<title>Back</title>")])])
    let client = try client(site)
    #expect(try await client.title("http://a.test/").answer().failure?.status == 503)
    #expect(try await client.title("http://a.test/").get().title == "Back")
    try await client.end()
  }
}
