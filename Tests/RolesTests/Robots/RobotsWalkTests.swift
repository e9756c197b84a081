import Links
import Pipeline
import PipelineTesting
import Roles
import Testing

/// What robots.txt files let a walk do.
@Suite(.timeLimit(.minutes(10)))
struct RobotsWalkTests {
  private static let page = FetchResponse.page("<title>x</title>")

  private static func file(_ rules: String) -> FetchResponse {
    FetchResponse(
      status: 200, headers: [HeaderField("Content-Type", "text/plain")],
      body: Array("User-agent: *\n\(rules)\n".utf8))
  }

  private func row(
    _ fixture: WalkFixture, _ kind: JobKind = .unfurl, _ link: String = "http://a.test/x",
    as agent: String = "halyard",
    in transport: TransportUnderTest = .inProcess
  ) async throws -> Row {
    try await fixture.row(kind, link, in: transport) { $0.robotsName = ProductToken(userAgent: agent) }
  }

  @Test(arguments: [TransportUnderTest.inProcess, .zeroMQ], [JobKind.unfurl, .title, .decode])
  func `a link that the file refuses is not fetched`(transport: TransportUnderTest, kind: JobKind)
    async throws
  {
    let fixture = WalkFixture([
      "http://a.test/robots.txt": Self.file("Disallow: /x"), "http://a.test/x": Self.page,
    ])
    let row = try await row(fixture, kind, in: transport)
    #expect(fixture.lines == ["GET http://a.test/robots.txt"])
    #expect(row["error.kind"] == "robots")
    #expect(row["error.stage"] == "address")
    #expect(row["error.retryable"] == "false")
    #expect(row["attempts"] == "1")
    #expect(
      row["error.message"]
        == "fetch http://a.test/x: line 2 of http://a.test/robots.txt refuses it, 'Disallow: /x';"
        + " ask its owner, or leave --respect-robots out")
  }

  @Test func `one that it allows is, and the file is asked for without anything of the job's`() async throws {
    let fixture = WalkFixture([
      "http://a.test/robots.txt": Self.file("Disallow: /y"), "http://a.test/x": Self.page,
    ])
    let row = try await row(fixture, .title, "http://user:word@a.test/x#f")
    #expect(row["title"] == "x")
    #expect(fixture.lines == ["GET http://a.test/robots.txt", "GET http://a.test/x"])
    #expect(fixture.requests.first?.headers == [])
    #expect(fixture.requests.first?.body == .page(capBytes: 500 << 10))
  }

  @Test func `nobody asks without the option`() async throws {
    let fixture = WalkFixture([
      "http://a.test/robots.txt": Self.file("Disallow: /"), "http://a.test/x": Self.page,
    ])
    #expect(try await fixture.row("http://a.test/x")["status"] == "ok")
    #expect(fixture.lines == ["GET http://a.test/x"])
  }

  @Test func `each origin on the way is asked, once, and the hops so far are kept`() async throws {
    let fixture = WalkFixture([
      "http://a.test/robots.txt": Self.file("Disallow: /no"), "http://a.test/x": .redirect(to: "/y"),
      "http://a.test/y": .redirect(to: "https://a.test/z"),
      "https://a.test/robots.txt": Self.file("Allow: /"),
      "https://a.test/z": .turn("0;http://b.test/"), "http://b.test/robots.txt": Self.file("Disallow: /$"),
    ])
    let row = try await row(fixture)
    #expect(row["error.kind"] == "robots")
    #expect(try row.walk.map { $0.split(separator: " ")[1] } == ["location", "location", "meta_refresh"])
    #expect(
      fixture.lines == [
        "GET http://a.test/robots.txt", "GET http://a.test/x", "GET http://a.test/y",
        "GET https://a.test/robots.txt", "GET https://a.test/z", "GET http://b.test/robots.txt",
      ])
  }

  @Test func `a page of the same host is refused behind one that is not`() async throws {
    let fixture = WalkFixture([
      "http://a.test/robots.txt": Self.file("Disallow: /no"), "http://a.test/x": .turn("0;/no"),
    ])
    let row = try await row(fixture, .title)
    #expect(row["error.kind"] == "robots")
    #expect(fixture.lines.count == 2)
  }

  @Test(arguments: [400, 401, 403, 404, 410, 418, 304, 300])
  func `without a file everything is allowed`(status: Int) async throws {
    let fixture = WalkFixture([
      "http://a.test/robots.txt": FetchResponse(status: status), "http://a.test/x": Self.page,
    ])
    #expect(try await row(fixture)["status"] == "ok")
  }

  @Test func `the product decides whose rules count`() async throws {
    let rules = FetchResponse(
      status: 200, body: Array("User-agent: halyard\nDisallow: /\nUser-agent: *\nDisallow:".utf8))
    let pages = ["http://a.test/robots.txt": rules, "http://a.test/x": Self.page]
    #expect(try await row(WalkFixture(pages), as: "Halyard/9")["error.kind"] == "robots")
    #expect(try await row(WalkFixture(pages), as: "Other/9")["status"] == "ok")
  }

  @Test func `redirects of the file are followed, to other hosts too`() async throws {
    let fixture = WalkFixture([
      "http://a.test/robots.txt": .redirect(to: "https://www.a.test/robots.txt"),
      "https://www.a.test/robots.txt": .redirect(to: "/r"),
      "https://www.a.test/r": Self.file("Disallow: /x"),
    ])
    let row = try await row(fixture)
    #expect(row["error.kind"] == "robots")
    #expect(row["error.message"]?.contains("line 2 of http://a.test/robots.txt") == true)
    #expect(row["hops"] == nil || row["hops"] == "[]")
  }

  @Test(arguments: [(5, "robots"), (6, nil)])
  func `five redirects are followed, and more are no file`(count: Int, kind: String?) async throws {
    var pages = ["http://a.test/x": Self.page, "http://a.test/\(count)": Self.file("Disallow: /x")]
    for hop in 0..<count {
      pages["http://a.test/\(hop == 0 ? "robots.txt" : "\(hop)")"] = .redirect(to: "/\(hop + 1)")
    }
    #expect(try await row(WalkFixture(pages))["error.kind"] == kind)
  }

  @Test(arguments: ["/robots.txt", "ftp://a.test/", ""])
  func `redirects that lead nowhere are no file`(target: String) async throws {
    let fixture = WalkFixture([
      "http://a.test/robots.txt": .redirect(to: target), "http://a.test/x": Self.page,
    ])
    #expect(try await row(fixture)["status"] == "ok")
  }

  @Test func `where nobody answers the failure is as it would be without the option`() async throws {
    let row = try await row(WalkFixture([String: FetchResponse]()))
    #expect(row["error.kind"] == "dns")
    #expect(
      row["error.message"]
        == "fetch http://a.test/robots.txt: no such host; it is asked for first because of --respect-robots")
  }

  @Test func `HEAD is for links only`() async throws {
    let fixture = WalkFixture([
      "http://a.test/robots.txt": [FetchResponse(status: 404)],
      "http://a.test/x": [FetchResponse(status: 405), FetchResponse(status: 200)],
    ])
    _ = try await fixture.row("http://a.test/x") {
      $0.robotsName = ProductToken(userAgent: "halyard")
      $0.method = .head
    }
    #expect(fixture.lines == ["GET http://a.test/robots.txt", "HEAD http://a.test/x", "GET http://a.test/x"])
  }
}
