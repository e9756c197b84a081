import JSONQuery
import Testing

/// What a row says about a link.
@Suite(.timeLimit(.minutes(10)))
struct RowTests {
  @Test func `a page's row has the members that readers rely on`() async throws {
    let site = try TestSite()
    let ended = try await Child(["title", site.url("/hops/2")] + loopback).ended()
    #expect(ended.status == 0)
    #expect(ended.messages.isEmpty)
    let rows = try ended.rows()
    let row = try #require(rows.first)
    #expect(rows.count == 1)
    #expect(
      row.value.members.map(\.key) == [
        "schema", "id", "batch", "ordinal", "kind", "input", "status", "url", "http_status", "content_type",
        "hops", "fetched_at", "charset", "title", "title_source", "card", "attempts", "ms",
      ])
    let expected = [
      "schema": "halyard.result/1", "ordinal": "0", "kind": "title", "input": site.url("/hops/2"),
      "status": "ok", "url": site.url("/hops/0"), "http_status": "200", "content_type": "text/html",
      "charset": "utf-8", "title": "/hops/0", "title_source": "title", "card.title": "/hops/0",
      "card.sources.title": "title", "attempts": "1",
    ]
    for (name, value) in expected { #expect(row[name] == value, "\(name)") }
    #expect(row["id"]?.count == 36)
    #expect(row["batch"]?.count == 36)
    #expect(row["ms"].flatMap { Int($0) } != nil)
    try check(hops: row, of: site)
  }

  private func check(hops row: Row, of site: TestSite) throws {
    let hops = try #require(row.value["hops"]).elements.map { Row(value: $0) }
    #expect(hops.map { $0["url"] } == [site.url("/hops/2"), site.url("/hops/1")])
    #expect(hops.allSatisfy { $0["status"] == "302" && $0["via"] == "location" })
    #expect(hops.allSatisfy { $0["ms"].flatMap { Int($0) } != nil })
  }

  @Test func `an address of this machine is refused unless it is allowed`() async throws {
    let site = try TestSite()
    let ended = try await halyard("title", site.url("/page/1"))
    #expect(ended.status == 1)
    let row = try #require(try ended.rows().first)
    #expect(row.outcome == "blocked_address")
    #expect(row["error.stage"] == "address")
    #expect(row["error.retryable"] == "false")
    #expect(row["error.message"]?.contains("allow it with --allow-address 127.0.0.1") == true)
    #expect(site.requests.count == 0)
  }

  @Test func `an allowed address does not open the way to a refused one`() async throws {
    let site = try TestSite()
    let ended = try await Child(["title", site.url("/private")] + loopback).ended()
    #expect(ended.status == 1)
    let row = try #require(try ended.rows().first)
    #expect(row.outcome == "blocked_address")
    #expect(row.value["hops"]?.count == 1)
  }

  @Test func `one job that fails leaves the others alone`() async throws {
    let site = try TestSite()
    let ended = try await Child(
      ["title", "--ordered", site.url("/page/1"), "not a url", site.url("/page/3")] + loopback
    ).ended()
    #expect(ended.status == 1)
    #expect(try ended.rows().map(\.outcome) == ["ok", "invalid_input", "ok"])
  }
}
