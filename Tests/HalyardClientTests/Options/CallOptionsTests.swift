import FoundationEssentials
import Halyard
import HalyardConcurrency
import HalyardTesting
import PipelineTesting
import Posix
import Testing

/// What is asked of one call alone, and what links can be.
@Suite(.timeLimit(.minutes(10)))
struct CallOptionsTests {
  private static let site = StubSite([
    "http://sho.rt/x": .redirect(to: "https://example.org/"),
    "https://example.org/": .page("<title>Example</title>"),
    "https://example.org/3": .json("3"),
  ])

  private func headers(of site: StubSite) -> [[String: String]] { site.requests.map(\.headers) }

  @Test func `a link is a text, a part of one, or a URL`() async throws {
    let client = HalyardClient(stub: Self.site)
    let url = try #require(URL(string: "http://sho.rt/x"))
    #expect(try await client.title(url).get().resolved.input == "http://sho.rt/x")
    #expect(try await client.title("link: http://sho.rt/x".dropFirst(6)).get().title == "Example")
    let base = try #require(URL(string: "https://example.org/page"))
    let relative = try #require(URL(string: "/3", relativeTo: base))
    #expect(try await client.decode(Int.self, from: relative).get().value == 3)
    for try await outcome in client.results(of: [url], { $0.unfurl($1) }) {
      #expect(outcome.url == "http://sho.rt/x" && (try? outcome.result.get().status) == 200)
    }
    for try await link in client.values(of: [url], { $0.unfurl($1) }) {
      #expect(link.url == "https://example.org/")
    }
    try await client.end()
  }

  @Test func `headers of a call go to the link's own site, its language everywhere`() async throws {
    var settings = ClientSettings.forTests
    settings.headers = ["X-Team": "red", "X-Room": "1"]
    let site = StubSite([
      "http://sho.rt/x": .redirect(to: "https://example.org/"),
      "https://example.org/": .page("<title>Example</title>"),
    ])
    let client = try HalyardClient(settings, stub: site)
    let options = CallOptions(headers: ["x-team": "blue", "Accept-Language": "en"], language: "de")
    _ = try await client.unfurl("http://sho.rt/x", options: options).title().get()
    #expect(
      headers(of: site) == [
        ["x-team": "blue", "X-Room": "1", "Accept-Language": "de"], ["Accept-Language": "de"],
      ])
    _ = try await client.title("https://example.org/").get()
    #expect(headers(of: site).last == ["X-Team": "red", "X-Room": "1"])
    try await client.end()
  }

  @Test func `a run hands its options to its calls`() async throws {
    let recipe = Recipe(
      json: #"""
        {"parameters": {"base": {"type": "url"}}, "steps": {"it": {"call": "{+base}/3"}}, "output": "$it"}
        """#)
    let site = StubSite(["https://example.org/3": .json("3")])
    let client = HalyardClient(stub: site)
    let found = try await client.run(
      recipe, ["base": "https://example.org"], as: Int.self,
      options: CallOptions(headers: ["X-Team": "red"], language: "de")
    ).get()
    #expect(found.value == 3)
    #expect(headers(of: site) == [["X-Team": "red", "Accept-Language": "de"]])
    try await client.end()
  }

  @Test func `a call has its own deadline`() async throws {
    let never = TaskChannel<Void>(capacity: 0)
    var settings = ClientSettings.forTests
    settings.deadline = .seconds(1_000_000)
    let client = try HalyardClient(
      settings,
      stub: StubSite { _ in
        _ = try? await never.receive()
        return .page("")
      })
    let options = CallOptions(deadline: .milliseconds(1))
    #expect(
      try await client.title("http://a.test/", options: options).answer().failure?.kind == .deadline)
    try await client.end()
  }

  static let mistakes: [(name: String, options: CallOptions)] = [
    ("deadline", CallOptions(deadline: .zero)), ("language", CallOptions(language: "")),
    ("language", CallOptions(language: "de\r\nX: y")),
    ("header 'Host'", CallOptions(headers: ["Host": "b.test"])),
    ("header 'X'", CallOptions(headers: ["X": "a\r\nb: c"])),
    ("header 'a b'", CallOptions(headers: ["a b": "c"])),
  ]

  @Test(arguments: mistakes)
  func `a call with an option that cannot be fails, and asks for nothing`(
    name: String, options: CallOptions
  ) async throws {
    let site = StubSite([:])
    let client = HalyardClient(stub: site)
    let error = try await client.title("http://a.test/", options: options).answer().failure
    #expect(error?.kind == .invalidInput && error?.message.hasPrefix("options: \(name): ") == true)
    #expect(site.requests.isEmpty)
    try await client.end()
  }

  @Test func `waiting calls go by their priority`() async throws {
    let (asked, go) = (TaskChannel<String>(capacity: .unbounded), TaskChannel<Void>(capacity: .unbounded))
    var settings = ClientSettings.forTests
    (settings.concurrency, settings.threads) = (1, 1)
    let client = try HalyardClient(
      settings,
      stub: StubSite { request in
        _ = try? asked.offer(request.url)
        _ = try? await go.receive()
        return .page("<title>A page</title>")
      })
    client.unfurl("http://a.test/first").call { _ in }
    #expect(try await asked.next("the first request") == "http://a.test/first")
    for priority in CallOptions.Priority.allCases {
      client.unfurl("http://a.test/\(priority)", options: CallOptions(priority: priority)).call { _ in }
    }
    go.close()
    for priority in CallOptions.Priority.allCases.reversed() {
      #expect(try await asked.next("a request") == "http://a.test/\(priority)")
    }
    try await client.end()
  }
}
