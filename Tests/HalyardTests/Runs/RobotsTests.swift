import JSONQuery
import PipelineTesting
import Testing

/// What users see of `--respect-robots`.
@Suite(.timeLimit(.minutes(10)))
struct RobotsTests {
  private static let file = """
    User-agent: *
    Disallow: /private
    Allow: /private/open

    User-agent: otherbot
    Disallow: /
    """

  @Test func `refused links are not fetched, and their rows say why`() async throws {
    let site = RobotsSite(Self.file)
    let links = ["/a", "/private/b", "/private/open"].map(site.url)
    let ended = try await Child(["title", "--respect-robots", "--ordered"] + links + loopback).ended()
    #expect(ended.status == 1)
    let rows = try ended.rows()
    #expect(rows.map(\.outcome) == ["ok", "robots", "ok"])
    #expect(
      rows[1]["error.message"]
        == "fetch \(links[1]): line 2 of \(site.url("/robots.txt")) refuses it, 'Disallow: /private';"
        + " ask its owner, or leave --respect-robots out")
    #expect(site.asked.sorted() == ["/a", "/private/open", "/robots.txt"])
  }

  @Test func `the name in the user agent is the one that rules are looked up for`() async throws {
    let site = RobotsSite(Self.file)
    let ended = try await Child(
      ["unfurl", "--respect-robots", "--user-agent", "OtherBot/2 (test)", site.url("/a")] + loopback
    ).ended()
    #expect(try ended.rows().map(\.outcome) == ["robots"])
  }

  @Test func `explain tells which rule it was`() async throws {
    let site = RobotsSite(Self.file)
    let allowed = try await Child(["explain", "--respect-robots", site.url("/private/open")] + loopback)
      .ended()
    #expect(allowed.status == 0)
    #expect(allowed.lines.contains("   → 2 rules are for us, and kept for 86400 s"))
    #expect(
      allowed.lines.contains(
        "   robots.txt: line 3 of \(site.url("/robots.txt")) allows it, 'Allow: /private/open'"))
    let refused = try await Child(["explain", "--json", "--respect-robots", site.url("/private")] + loopback)
      .ended()
    #expect(refused.status == 1)
    let root = try JSONDocument(parsing: Array(refused.output.utf8)).root
    #expect(root["steps"]?.elements.map { $0["rule"]?.string } == ["robots_txt", "robots"])
    #expect(root["steps"]?.elements.map { $0["for"]?.string } == ["robots.txt", nil])
  }
}
