import DemoSite
import Testing

/// The first command a newcomer tries.
@Suite(.timeLimit(.minutes(10)))
struct DemoTests {
  @Test func `the demo has a row for each of its links, and each ends as it should`() async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let demo = try await halyard("demo", "--format", "jsonl")
    #expect(demo.status == 0)
    let rows = try demo.rows()
    #expect(rows.map(\.outcome) == site.links.map(\.expected))
    #expect(rows.map { $0["kept.shows"] } == site.links.map(\.note))
    for (row, link) in zip(rows, site.links) where link.title != nil {
      #expect(row["title"] == link.title)
      #expect(
        row["card.sources.author"] == (link.wantsEmbed ? "oembed" : row["card.author"].map { _ in "meta" }))
    }
    #expect(site.links.count(where: \.wantsEmbed) == 1)
  }

  @Test func `a port in use is named`() async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let port = try #require(site.base.split(separator: ":").last.map(String.init))
    let demo = try await halyard("demo", "--serve", "--port", port)
    #expect(demo.status == 69)
    #expect(
      demo.messages
        == "halyard: cannot serve the demo at 127.0.0.1:\(port): bind: Address already in use; choose another --port, or leave it out for a free one\n"
    )
  }

  @Test func `the demo's table has a line for each link`() async throws {
    let site = try DemoSite.start()
    defer { site.stop() }
    let demo = try await halyard("demo", "--format", "table")
    #expect(demo.status == 0)
    #expect(demo.lines.count == site.links.count + 1)
    for (line, link) in zip(demo.lines.dropFirst(), site.links) where link.expected != "ok" {
      #expect(line.contains(link.expected))
    }
  }
}
