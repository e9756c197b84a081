import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

/// What one job yields, over every transport.
@Suite(.timeLimit(.minutes(10)))
struct OutcomeTests {
  private let site: [String: FetchResponse] = [
    "http://sho.rt/a": .redirect(to: "/b", status: 302),
    "http://sho.rt/b": .redirect(to: "http://example.org/post", status: 301),
    "http://sho.rt/loop": .redirect(to: "/loop"),
    "http://sho.rt/mail": .redirect(to: "mailto:a@example.org"),
    "http://sho.rt/bare": FetchResponse(status: 302),
    "http://example.org/post": .page("<title> A  post </title><meta property=og:title content=Card>"),
    "http://example.org/untitled": .page("<p>nothing"),
    "http://example.org/gone": .page("<title>Gone fishing</title>", status: 404),
    "http://example.org/api": .json(#"{"big": 12345678901234567890.10, "list": [1, {"a": "b"}]}"#),
    "http://example.org/broken": .json("{"),
    "http://example.org/empty": .json(""),
  ]

  @Test(arguments: TransportUnderTest.allCases)
  func `a title job follows its redirects and reads the page with one GET`(transport: TransportUnderTest)
    async throws
  {
    let row = try await row(of: JobDraft(kind: .title, input: "sho.rt/a#x"), over: site, in: transport)
    #expect(row["status"] == "ok")
    #expect(row["url"] == "http://example.org/post#x")
    #expect(row["title"] == "A post")
    #expect(row["title_source"] == "title")
    #expect(row["card.title"] == "Card")
    #expect(row["hops"]?.contains(#""status":302"#) == true)
    #expect(row["attempts"] == "1")
    #expect(row["schema"] == "halyard.result/1")
    #expect(row["input"] == "sho.rt/a#x")
  }

  @Test func `the charset is the last response's, whatever a redirect's was`() async throws {
    let title = Array("<title>".utf8) + [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
    let hop = [HeaderField("Location", "/end"), HeaderField("Content-Type", "text/html; charset=big5")]
    let site = [
      "http://a.test/": FetchResponse(status: 302, headers: hop, body: Array("<meta charset=gbk>".utf8)),
      "http://a.test/end": FetchResponse(
        status: 200, headers: [HeaderField("Content-Type", "text/html; charset=windows-1251")], body: title),
    ]
    let row = try await row(of: JobDraft(kind: .title, input: "http://a.test/"), over: site)
    #expect(row["charset"] == "windows-1251")
    #expect(row["title"] == "Привет")
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `an unfurl is ok with any final response`(transport: TransportUnderTest) async throws {
    let row = try await row(
      of: JobDraft(kind: .unfurl, input: "http://example.org/gone"), over: site, in: transport)
    #expect(row["status"] == "ok")
    #expect(row["http_status"] == "404")
    #expect(row["title"] == nil)
  }

  @Test func `a decode keeps numbers as they are written`() async throws {
    let row = try await row(of: JobDraft(kind: .decode, input: "http://example.org/api"), over: site)
    #expect(row.text.contains(#""value":{"big":12345678901234567890.10,"list":[1,{"a":"b"}]}"#))
  }

  @Test func `a decode selects by pointer`() async throws {
    let draft = JobDraft(kind: .decode, input: "http://example.org/api", select: "/list/1/a")
    #expect(try await row(of: draft, over: site)["value"] == "b")
  }

  @Test(arguments: [
    ("$.list[1].a", #""value":"b","#), ("$['big']", #""value":12345678901234567890.10,"#),
    ("$", #""value":{"big":12345678901234567890.10,"list":[1,{"a":"b"}]},"#),
    ("$.list[*]", #""value":[1,{"a":"b"}],"#), ("$..a", #""value":["b"],"#),
    ("$.list[?@.a == 'c']", #""value":[],"#),
    ("$.list[0,0]", #""value":[1,1],"#), ("$[?@ > 1e19]", #""value":[12345678901234567890.10],"#),
  ])
  func `a decode selects by query, one value or an array`(query: String, value: String) async throws {
    let draft = JobDraft(kind: .decode, input: "http://example.org/api", select: query)
    let row = try await row(of: draft, over: site)
    #expect(row["status"] == "ok")
    #expect(row.text.contains(value))
  }

  @Test func `an echo walks every role and touches nothing`() async throws {
    let row = try await row(of: JobDraft(kind: .echo, input: "anything.test"), over: [:])
    #expect(row["status"] == "ok")
    #expect(row["kind"] == "echo")
  }

  @Test(arguments: [
    ("title", "not a url", "invalid_input", "input"),
    ("title", "", "missing_input", "input"),
    ("title", "ftp://example.org/", "unsupported_scheme", "input"),
    ("title", "http://nowhere.test/", "dns", "dns"),
    ("unfurl", "http://sho.rt/loop", "redirect_loop", "redirect"),
    ("unfurl", "http://sho.rt/mail", "unsupported_scheme", "redirect"),
    ("unfurl", "http://sho.rt/bare", "missing_redirect_url", "redirect"),
    ("title", "http://example.org/untitled", "missing_page_title", "page"),
    ("title", "http://example.org/gone", "http_status", "headers"),
    ("decode", "http://example.org/broken", "data_parsing_failed", "json"),
    ("decode", "http://example.org/empty", "no_data", "json"),
    ("decode", "http://example.org/gone", "http_status", "headers"),
  ])
  func `each failure has its kind and stage`(kind: String, input: String, error: String, stage: String)
    async throws
  {
    let kind = try #require(JobKind(name: kind))
    let row = try await row(of: JobDraft(kind: kind, input: input), over: site)
    #expect(row["status"] == "failed")
    #expect(row["error.kind"] == error)
    #expect(row["error.stage"] == stage)
    #expect(row["error.retryable"] == "false")
  }

  @Test func `a failed step keeps what earlier steps found`() async throws {
    let untitled = try await row(of: JobDraft(kind: .title, input: "http://example.org/untitled"), over: site)
    #expect(untitled["url"] == "http://example.org/untitled")
    let gone = try await row(of: JobDraft(kind: .title, input: "http://example.org/gone"), over: site)
    #expect(gone["title"] == "Gone fishing")
    let loop = try await row(of: JobDraft(kind: .title, input: "http://sho.rt/loop"), over: site)
    #expect(loop["hops"]?.contains("http://sho.rt/loop") == true)
  }

  @Test(arguments: ["/nope", "$.nope", "$.list[2]", "$['list'][1].a.b"])
  func `a selection of one value that is not there is a mismatch`(select: String) async throws {
    let draft = JobDraft(kind: .decode, input: "http://example.org/api", select: select)
    let row = try await row(of: draft, over: site)
    #expect(row["error.kind"] == "decode_mismatch")
    #expect(row["error.stage"] == "select")
    #expect(row["value"] == nil)
  }

  @Test(arguments: ["items", "$.", "$[?@.a == ]"])
  func `a selection that is none is invalid input`(select: String) async throws {
    let draft = JobDraft(kind: .decode, input: "http://example.org/api", select: select)
    let row = try await row(of: draft, over: site)
    #expect(row["error.kind"] == "invalid_input")
    #expect(row["error.message"]?.hasPrefix("select '\(select)' is n") == true)
  }

  @Test func `a job without input is missing input`() async throws {
    #expect(
      try await row(of: JobDraft(kind: .unfurl, input: nil), over: [:])["error.kind"] == "missing_input")
  }

  @Test func `the user's key and columns come back`() async throws {
    let draft = JobDraft(
      kind: .unfurl, input: "http://example.org/post", ref: "row 7", kept: [KeptColumn("name", "Ann \"x\"")])
    let row = try await row(of: draft, over: site)
    #expect(row["ref"] == "row 7")
    #expect(row["kept.name"] == "Ann \"x\"")
  }

  @Test func `a line that could not be read ends with its own failure`() async throws {
    let refusal = Failure(.invalidInput, at: .input, "line 3: unknown member 'x'")
    let row = try await row(of: JobDraft(kind: .unfurl, input: nil, refusal: refusal), over: [:])
    #expect(row["error.message"] == "line 3: unknown member 'x'")
  }
}

/// What is sent along with a request.
@Suite(.timeLimit(.minutes(10)))
struct RequestTests {
  @Test func `a user name and password go to their own address only, and are never shown`() async throws {
    let requests = Lock<[FetchRequest]>([])
    let fetching = ScriptedFetching { request in
      requests.withLock { $0.append(request) }
      return .success(
        request.url.hasSuffix("/a") ? .redirect(to: "http://other.test/b") : FetchResponse(status: 200))
    }
    let drafts = [JobDraft(kind: .unfurl, input: "http://Aladdin:open%20sesame@one.test/a")]
    let rows = try await TestPipeline().run(drafts, over: fetching)
    let sent = requests.withLock { $0 }
    #expect(sent.map(\.url) == ["http://one.test/a", "http://other.test/b"])
    #expect(
      sent.map { $0.headers.map(\.value) } == [["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="], []])
    let row = try Row(try #require(rows.first))
    #expect(row["url"] == "http://other.test/b")
    #expect(row["hops"]?.contains("sesame") == false)
  }
}
