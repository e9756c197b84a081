import Foundation
import Halyard
import HalyardTesting
import Previews
import Testing

struct PreviewsTests {
  private let site = StubSite([
    "http://sho.rt/x": .redirect(to: "https://example.org/"),
    "https://example.org/": .page("<title>Example</title><meta property='og:site_name' content='The site'>"),
  ])

  private func previews() throws -> Previews {
    Previews(try HalyardClient(Previews.settings, stub: site))
  }

  @Test func `a link that several people post is fetched once`() async throws {
    let previews = try previews()
    let link = try #require(URL(string: "http://sho.rt/x"))
    for _ in 0..<3 { #expect(await previews.line(about: link) == "Example (The site)") }
    #expect(site.requests.map(\.url) == ["http://sho.rt/x", "https://example.org/"])
  }

  @Test func `a link that leads nowhere is its own preview`() async throws {
    #expect(try await previews().line(about: "http://nowhere.test/") == "http://nowhere.test/")
  }
}
