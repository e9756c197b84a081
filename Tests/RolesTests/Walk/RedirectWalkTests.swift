import Pipeline
import PipelineTesting
import Roles
import Testing

/// Redirects by status and Location, as rows show them.
@Suite(.timeLimit(.minutes(10)))
struct RedirectWalkTests {
  private let end = FetchResponse(status: 200)

  @Test(arguments: [300, 304, 305, 306, 200, 404])
  func `a Location of any other status is not followed`(status: Int) async throws {
    let fixture = WalkFixture(["http://a.test/": .redirect(to: "/2", status: status), "http://a.test/2": end])
    let row = try await fixture.row("http://a.test/")
    #expect(row["url"] == "http://a.test/")
    #expect(row["http_status"] == "\(status)")
  }

  @Test(
    arguments: [
      (["/2", "/2"], "ok", nil), (["/2", "/3"], "failed", "protocol"),
      ([""], "failed", "missing_redirect_url"),
      ([], "failed", "missing_redirect_url"), ([" /2\t"], "ok", nil), (["ht\ttp://a.test/\r\n2"], "ok", nil),
      (["data:text/html,x"], "failed", "unsupported_scheme"),
      (["intent://x#Intent"], "failed", "unsupported_scheme"),
      (["javascript:alert(1)"], "failed", "unsupported_scheme"),
      (["file:///etc/passwd"], "failed", "unsupported_scheme"),
      (["ftp://a.test/2"], "failed", "unsupported_scheme"), (["http://[::1/"], "failed", "protocol"),
    ] as [([String], String, String?)])
  func `a Location means what a browser takes it for`(values: [String], status: String, kind: String?)
    async throws
  {
    let response = values.reduce(FetchResponse(status: 302)) { $0.with("Location", $1) }
    let row = try await WalkFixture(["http://a.test/": response, "http://a.test/2": end]).row(
      "http://a.test/")
    #expect(row["status"] == status)
    #expect(row["error.kind"] == kind)
    #expect(try row.walk == ["302 \(kind == "missing_redirect_url" ? "" : "location") http://a.test/"])
    #expect(row["hops"]?.contains("via") == (kind != "missing_redirect_url"))
    guard kind == "unsupported_scheme" else { return }
    #expect(
      row["error.message"]
        == "follow http://a.test/: the redirect leads to '\(values[0])', and only http and https are supported"
    )
  }

  @Test func `https may lead to http`() async throws {
    let fixture = WalkFixture(["https://a.test/": .redirect(to: "http://a.test/2"), "http://a.test/2": end])
    let row = try await fixture.row("https://a.test/")
    #expect(row["url"] == "http://a.test/2")
    #expect(try row.walk == ["301 location https://a.test/"])
  }

  @Test func `a hop tells url, status, how it led on, time and address, and no password`() async throws {
    var first = FetchResponse.redirect(to: "http://user:word@a.test/2", status: 307)
    first.remoteAddress = "192.0.2.7"
    let fixture = WalkFixture([
      "http://a.test/": first, "http://a.test/2": .redirect(to: "/3"), "http://a.test/3": end,
    ])
    let row = try await fixture.row("http://me:secret@a.test/")
    let hops = try #require(row["hops"])
    #expect(hops.contains(#""url":"http://a.test/","status":307,"via":"location","ms":"#))
    #expect(hops.contains(#""address":"192.0.2.7""#))
    #expect(!row.text.dropFirst(row.text.count / 2).contains("word"))
    #expect(!hops.contains("@"))
  }

  @Test func `twenty hops are followed and one more is not`() async throws {
    var pages: [String: FetchResponse] = [:]
    for number in 0..<20 { pages["http://a.test/\(number)"] = .redirect(to: "/\(number + 1)") }
    pages["http://a.test/20"] = end
    #expect(try await WalkFixture(pages).row("http://a.test/0")["url"] == "http://a.test/20")
    pages["http://a.test/20"] = .redirect(to: "/21")
    let row = try await WalkFixture(pages).row("http://a.test/0")
    #expect(row["error.kind"] == "too_many_redirects")
    #expect(try row.walk.count == 21)
  }

  @Test func `a loop is told as soon as it closes`() async throws {
    let fixture = WalkFixture([
      "http://a.test/1": .redirect(to: "/2"), "http://a.test/2": .redirect(to: "/3"),
      "http://a.test/3": .redirect(to: "/2#other"),
    ])
    #expect(try await fixture.row("http://a.test/1")["error.kind"] == "redirect_loop")
    #expect(fixture.lines.count == 3)
  }

  @Test func `a redirect that leads nowhere keeps what its answer told`() async throws {
    let fixture = WalkFixture([
      "http://a.test/": .redirect(to: "/mute", status: 301),
      "http://a.test/mute": FetchResponse(
        status: 302, headers: [HeaderField("Content-Type", "Text/HTML; charset=utf-8")]),
    ])
    for kind in [JobKind.unfurl, .title, .decode] {
      let row = try await fixture.row(kind, "http://a.test/")
      #expect(row["error.kind"] == "missing_redirect_url")
      #expect(row["http_status"] == "302")
      #expect(row["url"] == "http://a.test/mute")
      #expect(row["content_type"] == "text/html")
    }
  }

  @Test(arguments: ["mailto:a@b.test", "http://[bad", "/other"])
  func `a redirect that is not followed keeps its status`(target: String) async throws {
    let fixture = WalkFixture(["http://a.test/": .redirect(to: target, status: 307)])
    let row = try await fixture.row("http://a.test/") { $0.maxHops = 0 }
    #expect(row["status"] == "failed")
    #expect(row["http_status"] == "307")
    #expect(row["url"] == "http://a.test/")
  }

  @Test func `a body that failed keeps the length that was announced`() async throws {
    var response = FetchResponse(
      status: 200,
      headers: [HeaderField("Content-Length", "12345"), HeaderField("Content-Type", "application/json")],
      truncated: true)
    response.bodyFailure = Failure(.bodyTooLarge, at: .body, "too large")
    let row = try await WalkFixture(["http://a.test/": response]).row(.decode, "http://a.test/")
    #expect(row["error.kind"] == "body_too_large")
    #expect(row["length"] == "12345")
    #expect(row["content_type"] == "application/json")
  }

  @Test func `every row of a fetch tells when it was`() async throws {
    let fixture = WalkFixture([
      "http://a.test/": .page("<title>x</title>"), "http://a.test/loop": .redirect(to: "/loop"),
      "http://a.test/turn": .turn("0;/"), "http://a.test/file": .json("[1]"),
    ])
    for (kind, path) in [
      (JobKind.unfurl, ""), (.title, ""), (.title, "turn"), (.decode, "file"), (.decode, ""),
      (.title, "file"),
      (.unfurl, "loop"),
    ] {
      let row = try await fixture.row(kind, "http://a.test/\(path)")
      let moment = try #require(row["fetched_at"])
      #expect(moment.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(moment)")
    }
    #expect(try await fixture.row("not a link")["fetched_at"] == nil)
  }
}
