import Pipeline
import PipelineTesting
import Roles
import Testing

/// Refreshes of headers and of pages, on the way and at the end.
@Suite(.timeLimit(.minutes(10)))
struct RefreshWalkTests {
  private let goal = "http://b.test/goal"

  @Test(arguments: [JobKind.unfurl, .title], TransportUnderTest.allCases)
  func `a page leads on by its meta element, to another host too`(
    kind: JobKind, transport: TransportUnderTest
  )
    async throws
  {
    let fixture = WalkFixture([
      "http://a.test/": .redirect(to: "/page#part", status: 302),
      "http://a.test/page": .turn("0; url=http://b.test/goal"),
      goal: .page("<title>Goal</title>"),
    ])
    let row = try await fixture.row(kind, "http://a.test/", in: transport)
    #expect(row["status"] == "ok")
    #expect(row["url"] == "http://b.test/goal#part")
    #expect(row["title"] == (kind == .title ? "Goal" : nil))
    #expect(
      try row.walk == ["302 location http://a.test/", "200 meta_refresh http://a.test/page#part"])
    #expect(row["attempts"] == "1")
    #expect(fixture.lines == ["GET http://a.test/", "GET http://a.test/page", "GET http://b.test/goal"])
  }

  @Test func `a decode goes on from a page too`() async throws {
    let fixture = WalkFixture(["http://a.test/": .turn("1;/data"), "http://a.test/data": .json("[7]")])
    #expect(try await fixture.row(.decode, "http://a.test/")["value"] == "[7]")
  }

  @Test func `pages lead on several times, redirects between them`() async throws {
    let fixture = WalkFixture([
      "http://a.test/1": .turn("0;/2"), "http://a.test/2": .redirect(to: "/3"),
      "http://a.test/3": .turn("0;/4"), "http://a.test/4": .page("<title>x</title>"),
    ])
    let row = try await fixture.row("http://a.test/1")
    #expect(row["url"] == "http://a.test/4")
    #expect(
      try row.walk == [
        "200 meta_refresh http://a.test/1", "301 location http://a.test/2",
        "200 meta_refresh http://a.test/3",
      ])
  }

  @Test(arguments: [
    ("either order of attributes", "<meta content='0;goal' http-equiv='Refresh'>", true),
    ("capitals and spaces", "<META HTTP-EQUIV = ' REFRESH ' CONTENT='0;goal'>", true),
    ("entities in the address", "<meta http-equiv=refresh content='0;url=go&#97;l'>", true),
    ("in noscript", "<noscript><meta http-equiv=refresh content='0;goal'></noscript>", true),
    (
      "behind the title, in the body", "<title>t</title><body><meta http-equiv=refresh content='0;goal'>",
      true
    ),
    ("the page's base", "<base href='/x/../'><meta http-equiv=refresh content='0;goal'>", true),
    (
      "the first of two",
      "<meta http-equiv=refresh content='0;goal'><meta http-equiv=refresh content='0;no'>", true
    ),
    ("in a comment", "<!-- <meta http-equiv=refresh content='0;goal'> -->", false),
    ("in a template", "<template><meta http-equiv=refresh content='0;goal'></template>", false),
    ("in a script", "<script>'<meta http-equiv=refresh content=\"0;goal\">'</script>", false),
    ("entities in a script", "<script>q='<meta http-equiv=refresh content=0;goal>'</script>", false),
    ("in a title", "<title><meta http-equiv=refresh content='0;goal'></title>", false),
    ("another http-equiv", "<meta http-equiv=content-language content='0;goal'>refresh", false),
    ("a name, not an http-equiv", "<meta name=refresh content='0;goal'>", false),
    ("no number", "<meta http-equiv=refresh content='url=goal'>", false),
    ("to itself", "<meta http-equiv=refresh content='0'>", false),
    ("to itself by address", "<meta http-equiv=refresh content='3;/dir/page#x'>", false),
    ("to what is not fetched", "<meta http-equiv=refresh content='0;javascript:go()'>", false),
    ("to an app", "<meta http-equiv=refresh content='0;intent://goal'>", false),
  ])
  func `a meta refresh counts where a browser would follow it`(_: String, html: String, leadsOn: Bool)
    async throws
  {
    let goal = FetchResponse.page("<title>Goal</title>")
    let fixture = WalkFixture([
      "http://a.test/dir/page": .page(html), "http://a.test/dir/goal": goal, "http://a.test/goal": goal,
    ])
    for kind in [JobKind.unfurl, .title] {
      let row = try await fixture.row(kind, "http://a.test/dir/page")
      #expect(row["url"]?.hasSuffix("goal") == leadsOn)
      #expect(row["refresh"] == nil)
    }
  }

  @Test(arguments: ["http://a.test/dir/", "//b.test/"])
  func `a base on another address is what the refresh is relative to`(base: String) async throws {
    let fixture = WalkFixture([
      "http://a.test/": .page("<base href='\(base)'><meta http-equiv=refresh content='0;goal'>"),
      "http://a.test/dir/goal": FetchResponse(status: 200), goal: FetchResponse(status: 200),
    ])
    let url = try await fixture.row("http://a.test/")["url"]
    #expect(url == (base == "//b.test/" ? goal : "http://a.test/dir/goal"))
  }

  @Test(arguments: [
    ("0; url=/goal", "200 refresh_header http://a.test/"), ("10;/goal", "200 refresh_header http://a.test/"),
  ])
  func `a Refresh header leads on, and is a hop`(value: String, hop: String) async throws {
    let fixture = WalkFixture([
      "http://a.test/": FetchResponse(status: 200).with("Refresh", value),
      "http://a.test/goal": FetchResponse(status: 200),
    ])
    let row = try await fixture.row("http://a.test/#part")
    #expect(row["url"] == "http://a.test/goal#part")
    #expect(try row.walk == [hop + "#part"])
  }

  @Test(arguments: [404, 503, 204 - 1, 301])
  func `a Refresh header counts at a success only`(status: Int) async throws {
    let fixture = WalkFixture([
      "http://a.test/": FetchResponse(status: status).with("Refresh", "0;/goal"),
      "http://a.test/goal": FetchResponse(status: 200),
    ])
    let row = try await fixture.row("http://a.test/") { $0.maxHops = 3 }
    #expect(row["url"]?.hasSuffix("goal") != true || status == 203)
  }

  @Test func `a wait of more than ten seconds is told, not followed`() async throws {
    let header = FetchResponse.page("<title>News</title>").with("Refresh", "11; url=/next")
    let page = FetchResponse.turn("300;url=/next")
    for response in [header, page] {
      for kind in [JobKind.unfurl, .title] {
        let row = try await WalkFixture(["http://a.test/": response]).row(kind, "http://a.test/")
        #expect(row["status"] == "ok")
        #expect(row["url"] == "http://a.test/")
        #expect(row["refresh.url"] == "http://a.test/next")
        #expect(row["refresh.seconds"] == (response.header("refresh") == nil ? "300" : "11"))
        #expect(try row.walk == [])
      }
    }
  }

  @Test func `refreshes that lead back are a loop, and count as hops`() async throws {
    let pages: [String: FetchResponse] = [
      "http://a.test/1": .turn("0;/2"), "http://a.test/2": FetchResponse(status: 200).with("Refresh", "0;/1"),
      "http://a.test/3": FetchResponse(status: 200).with("Refresh", "0;/4"), "http://a.test/4": .turn("0;/3"),
    ]
    for start in ["http://a.test/1", "http://a.test/3"] {
      let row = try await WalkFixture(pages).row("\(start)")
      #expect(row["error.kind"] == "redirect_loop")
      #expect(try row.walk.count == 2)
    }
  }

  @Test func `the limit of hops holds over all parts of a walk`() async throws {
    var pages: [String: FetchResponse] = [:]
    for number in 0..<10 {
      pages["http://a.test/\(number)"] =
        number % 2 == 0 ? .turn("0;/\(number + 1)") : .redirect(to: "/\(number + 1)")
    }
    pages["http://a.test/10"] = .page("<title>x</title>")
    #expect(try await WalkFixture(pages).row("http://a.test/0") { $0.maxHops = 10 }["status"] == "ok")
    for limit in [5, 6, 9] {
      let fixture = WalkFixture(pages)
      let row = try await fixture.row("http://a.test/0") { $0.maxHops = limit }
      #expect(row["error.kind"] == "too_many_redirects")
      #expect(try row.walk.count == limit + 1)
      #expect(fixture.lines.count == limit + 1)
    }
  }

  @Test(arguments: [(9, "ok"), (18, "too_many_redirects")])
  func `a page may lead on when the way to it is short enough to be remembered`(
    hops: Int, ends: String
  ) async throws {
    let long = String(repeating: "x", count: 60_000)
    var pages: [String: FetchResponse] = [:]
    for hop in 0..<hops { pages["http://a.test/\(hop)\(long)"] = .redirect(to: "/\(hop + 1)\(long)") }
    pages["http://a.test/\(hops)\(long)"] = .turn("0;/goal")
    pages["http://a.test/goal"] = .page("<title>x</title>")
    let row = try await WalkFixture(pages).row("http://a.test/0\(long)")
    #expect(row["error.kind"] ?? row["status"] == ends)
    #expect(try row.walk.count == hops + (ends == "ok" ? 1 : 0))
  }

  @Test func `a retry begins with the link again`() async throws {
    let fixture = WalkFixture([
      "http://a.test/": [.turn("0;/busy")],
      "http://a.test/busy": [
        FetchResponse(status: 503).with("Retry-After", "0"), .page("<title>Goal</title>"),
      ],
    ])
    let row = try await fixture.row(.title, "http://a.test/")
    #expect(row["title"] == "Goal")
    #expect(row["attempts"] == "2")
    #expect(fixture.lines.map { String($0.dropFirst(17)) } == ["/", "/busy", "/", "/busy"])
  }
}
