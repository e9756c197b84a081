import Pipeline
import PipelineTesting
import Roles
import Testing

/// What each request of a walk carries.
@Suite(.timeLimit(.minutes(10)))
struct RequestWalkTests {
  private static let session = "a.test\tFALSE\t/\tFALSE\t0\tsession\t1"
  private let ok = FetchResponse(status: 200)

  @Test func `cookies of a response go along with the rest of the walk, pages' refreshes included`()
    async throws
  {
    let fixture = WalkFixture([
      "http://a.test/": .redirect(to: "/2").keeping(Self.session),
      "http://a.test/2": .turn("0;/3").keeping(Self.session),
      "http://a.test/3": ok.keeping(Self.session),
    ])
    _ = try await fixture.row("http://a.test/")
    #expect(fixture.requests.map(\.cookies) == [[], [Self.session], [Self.session]])
  }

  @Test func `a cookie wall that redirects to itself is no loop`() async throws {
    let wall: WalkFixture.Pages = [
      "http://a.test/": [.redirect(to: "/").keeping(Self.session), ok.keeping(Self.session)]
    ]
    #expect(try await WalkFixture(wall).row("http://a.test/")["status"] == "ok")
  }

  @Test func `a redirect to itself with the same cookies is a loop, whenever they expire`() async throws {
    func later(_ expiry: Int) -> FetchResponse {
      .redirect(to: "/").keeping("a.test\tFALSE\t/\tFALSE\t\(expiry)\tsession\t1")
    }
    let fixture = WalkFixture(["http://a.test/": [later(100), later(101), later(102)]])
    #expect(try await fixture.row("http://a.test/")["error.kind"] == "redirect_loop")
    #expect(fixture.lines.count == 2)
  }

  @Test func `what is for the link's own origin is dropped on the way, for good`() async throws {
    let fixture = WalkFixture([
      "http://a.test/1": .redirect(to: "/2"), "http://a.test/2": .redirect(to: "http://b.test/3"),
      "http://b.test/3": .redirect(to: "http://a.test/4"), "http://a.test/4": ok,
    ])
    _ = try await fixture.row("http://user:word@a.test/1") {
      $0.ownHeaders = [HeaderField("X-Key", "k"), HeaderField("Cookie", "a=b")]
    }
    let names = fixture.requests.map { $0.headers.map(\.name) }
    #expect(names == [["X-Key", "Cookie", "Authorization"], ["X-Key", "Cookie", "Authorization"], [], []])
  }

  @Test func `a cookie that the site sets itself stands for the user's of that name`() async throws {
    let fixture = WalkFixture([
      "http://a.test/": [.redirect(to: "/").keeping(Self.session), .turn("0;/3").keeping(Self.session)],
      "http://a.test/3": [ok.keeping(Self.session)],
    ])
    let row = try await fixture.row("http://a.test/") {
      $0.ownHeaders = [HeaderField("Cookie", "session=0; lang=en")]
    }
    #expect(row["status"] == "ok")
    #expect(
      fixture.requests.map { $0.headers.map(\.value) } == [["session=0; lang=en"], ["lang=en"], ["lang=en"]])
  }

  @Test(arguments: ["session=; Path=/", "session=over; max-age=0", "session=over;Max-Age=-1"])
  func `a cookie that the site takes away is not sent again`(removal: String) async throws {
    var leave = FetchResponse.redirect(to: "/")
    leave.headers.append(HeaderField("Set-Cookie", removal))
    let fixture = WalkFixture(["http://a.test/": [leave, ok]])
    let row = try await fixture.row("http://a.test/") { $0.ownHeaders = [HeaderField("Cookie", "session=0")] }
    #expect(row["status"] == "ok")
    #expect(fixture.requests.map(\.headers.count) == [1, 0])
  }

  @Test func `a cookie that the site may not set does not stand for the user's`() async throws {
    var turn = FetchResponse.redirect(to: "/2")
    turn.headers.append(HeaderField("Set-Cookie", "session=9; Domain=b.test"))
    let fixture = WalkFixture(["http://a.test/": turn, "http://a.test/2": ok])
    _ = try await fixture.row("http://a.test/") { $0.ownHeaders = [HeaderField("Cookie", "session=0")] }
    #expect(fixture.requests.map(\.headers.count) == [1, 1])
  }

  @Test(arguments: ["https://a.test/2", "http://a.test:81/2", "http://www.a.test/2"])
  func `another scheme, port or host is another origin`(target: String) async throws {
    let fixture = WalkFixture(["http://a.test/": .redirect(to: target), target: ok])
    _ = try await fixture.row("http://a.test/") { $0.ownHeaders = [HeaderField("Authorization", "Bearer x")] }
    #expect(fixture.requests.map(\.headers.count) == [1, 0])
  }

  @Test func `the origin stays left when a page leads back to it`() async throws {
    let fixture = WalkFixture([
      "http://a.test/1": .redirect(to: "http://b.test/2"), "http://b.test/2": .turn("0;http://a.test/3"),
      "http://a.test/3": ok,
    ])
    _ = try await fixture.row("http://a.test/1") { $0.ownHeaders = [HeaderField("X-Key", "k")] }
    #expect(fixture.requests.map(\.headers.count) == [1, 0, 0])
  }

  @Test func `a given Authorization header stands for the link's user name`() async throws {
    let fixture = WalkFixture(["http://a.test/": ok])
    _ = try await fixture.row("http://user:word@a.test/") {
      $0.ownHeaders = [HeaderField("authorization", "Bearer x")]
    }
    #expect(fixture.requests.map { $0.headers.map(\.value) } == [["Bearer x"]])
  }

  @Test(arguments: [301, 302, 307, 308])
  func `a redirect keeps the method`(status: Int) async throws {
    let fixture = WalkFixture(["http://a.test/": .redirect(to: "/2", status: status), "http://a.test/2": ok])
    _ = try await fixture.row("http://a.test/") { $0.method = .head }
    #expect(fixture.lines == ["HEAD http://a.test/", "HEAD http://a.test/2"])
  }

  @Test func `303 turns into GET`() async throws {
    let fixture = WalkFixture(["http://a.test/": .redirect(to: "/2", status: 303), "http://a.test/2": ok])
    _ = try await fixture.row("http://a.test/") { $0.method = .head }
    #expect(fixture.lines == ["HEAD http://a.test/", "GET http://a.test/2"])
  }

  @Test(arguments: [400, 401, 403, 404, 405, 406, 429, 500, 501, 503])
  func `a server that does not like HEAD is asked once more with GET, and from then on`(status: Int)
    async throws
  {
    let fixture = WalkFixture([
      "http://a.test/": [.redirect(to: "/2")],
      "http://a.test/2": [FetchResponse(status: status), .redirect(to: "/3")],
      "http://a.test/3": [FetchResponse(status: 404)],
    ])
    let row = try await fixture.row("http://a.test/") { $0.method = .head }
    #expect(row["http_status"] == "404")
    #expect(
      fixture.lines == [
        "HEAD http://a.test/", "HEAD http://a.test/2", "GET http://a.test/2", "GET http://a.test/3",
      ])
    #expect(try row.walk.count == 2)
  }

  @Test(arguments: [200, 204, 402, 410, 502])
  func `any other status is an answer to HEAD`(status: Int) async throws {
    let fixture = WalkFixture(["http://a.test/": FetchResponse(status: status)])
    _ = try await fixture.row("http://a.test/") { $0.method = .head }
    #expect(fixture.lines == ["HEAD http://a.test/"])
  }

  @Test func `a transport error of HEAD is tried once with GET`() async throws {
    let fetching = ScriptedFetching { request in
      request.method == .head
        ? .failure(Failure(.protocolError, at: .headers, "strange")) : .success(FetchResponse(status: 200))
    }
    var pipeline = TestPipeline()
    pipeline.settings.fetcher.method = .head
    let rows = try await pipeline.run([JobDraft(kind: .unfurl, input: "http://a.test/")], over: fetching)
    #expect(rows.map(\.failure) == [nil])
  }

  @Test func `a job that needs the body never asks with HEAD`() async throws {
    let fixture = WalkFixture(["http://a.test/": .page("<title>x</title>")])
    _ = try await fixture.row(.title, "http://a.test/") { $0.method = .head }
    #expect(fixture.lines == ["GET http://a.test/"])
  }

  @Test func `an unfurl asks for the start of a page, in case it leads on`() async throws {
    let fixture = WalkFixture(["http://a.test/": ok])
    _ = try await fixture.row("http://a.test/")
    #expect(fixture.requests.map(\.body) == [.startOfPage(capBytes: 64 << 10)])
  }
}
