import Pipeline
import PipelineTesting
import Roles
import Testing

/// Whatever becomes of a page's oEmbed endpoint, the page counts.
@Suite(.timeLimit(.minutes(10)))
struct EmbedFailureTests {
  private static let page = EmbedFixture.page
  private static let endpoint = EmbedFixture.endpoint
  private struct Case: Sendable {
    var name: String
    var kind: String
    var pages: [String: FetchResponse]
  }

  private static let cases: [Case] = [
    Case(name: "nobody there", kind: "dns", pages: [page: .naming()]),
    Case(
      name: "gone", kind: "http_status", pages: [page: .naming(), endpoint: .json("{}", status: 404)]),
    Case(
      name: "busy", kind: "http_status",
      pages: [page: .naming(), endpoint: .json("{}", status: 429).with("Retry-After", "1")]),
    Case(
      name: "no JSON", kind: "data_parsing_failed",
      pages: [page: .naming(), endpoint: .page("<title>Welcome</title>")]),
    Case(
      name: "JSON of something else", kind: "no_data", pages: [page: .naming(), endpoint: .json("[1]")]),
    Case(name: "nothing", kind: "data_parsing_failed", pages: [page: .naming(), endpoint: .json("")]),
    Case(
      name: "a redirect loop", kind: "redirect_loop",
      pages: [page: .naming(), endpoint: .redirect(to: "/2"), "http://b.test/2": .redirect(to: endpoint)]),
    Case(name: "the page's own address", kind: "redirect_loop", pages: [page: .naming("page#x")]),
    Case(
      name: "another scheme behind a redirect", kind: "unsupported_scheme",
      pages: [page: .naming(), endpoint: .redirect(to: "file:///etc/passwd")]),
    Case(
      name: "the page again", kind: "data_parsing_failed",
      pages: [page: .naming(), endpoint: .redirect(to: page)]),
    Case(name: "XML", kind: "no_data", pages: [page: .naming(type: "text/xml+oembed")]),
    Case(
      name: "too large", kind: "body_too_large",
      pages: [page: .naming(), endpoint: tooLarge]),
  ]

  private static var tooLarge: FetchResponse {
    var response = FetchResponse(status: 200)
    response.bodyFailure = Failure(.bodyTooLarge, at: .body, "fetch: too large")
    return response
  }

  @Test(arguments: cases.map(\.name), [TransportUnderTest.inProcess, .zeroMQ])
  func `a failure is told, and the job is ok`(name: String, transport: TransportUnderTest) async throws {
    let row = try #require(Self.cases.first { $0.name == name })
    let fixture = EmbedFixture(row.pages)
    let found = try await fixture.row(in: transport)
    #expect(found["status"] == "ok")
    #expect(found["title"] == "Page")
    #expect(found["card.title"] == "Page")
    #expect(found["card.sources.title"] == "title")
    #expect(found["card.embed_error.kind"] == row.kind)
    #expect(found["card.embed_error.message"]?.isEmpty == false)
    #expect(found["attempts"] == "1")
    #expect(found["hops"] == "[]")
    #expect(Set(fixture.lines).count == fixture.lines.count || name == "the page again")
  }

  @Test func `a private address is refused as everywhere`() async throws {
    let fixture = EmbedFixture { request in
      request.url == Self.page
        ? .success(.naming("http://10.0.0.1/o"))
        : .failure(Failure(.blockedAddress, at: .address, "fetch \(request.url): 10.0.0.1 is private"))
    }
    let row = try await fixture.row()
    #expect(row["status"] == "ok")
    #expect(row["card.embed_error.kind"] == "blocked_address")
    #expect(row["card.embed_error.message"] == "fetch http://10.0.0.1/o: 10.0.0.1 is private")
  }

  @Test func `a page that failed has no endpoint to ask`() async throws {
    for page in [
      FetchResponse.page(String(decoding: FetchResponse.naming().body, as: UTF8.self), status: 404),
      .naming(html: "<title>Just a moment...</title>").with("cf-mitigated", "challenge"),
    ] {
      let fixture = EmbedFixture([Self.page: page, Self.endpoint: .json(#"{"type":"link"}"#)])
      let row = try await fixture.row()
      #expect(row["status"] == "failed")
      #expect(row["card.embed_error"] == nil)
      #expect(fixture.lines == ["GET \(Self.page)"])
    }
  }

  @Test func `what is too much to carry along is told, and nobody is asked`() async throws {
    let long = String(repeating: "x", count: 60_000)
    var pages = [Self.page: FetchResponse.redirect(to: "/0\(long)")]
    for hop in 0..<5 { pages["http://a.test/\(hop)\(long)"] = .redirect(to: "/\(hop + 1)\(long)") }
    pages["http://a.test/5\(long)"] = .naming()
    let fixture = EmbedFixture(pages)
    let row = try await fixture.row()
    #expect(row["status"] == "ok")
    #expect(row["card.embed_error.kind"] == "body_too_large")
    #expect(fixture.requests.count == 7)
  }

  @Test(arguments: [TransportUnderTest.inProcess, .zeroMQ])
  func `an endpoint that does not answer costs no more than the deadline, and not the page`(
    transport: TransportUnderTest
  )
    async throws
  {
    let clock = ManualClock()
    let asked = AsyncStream<Void>.makeStream()
    let fixture = EmbedFixture { request in
      if request.url == Self.page { return .success(.naming()) }
      asked.continuation.yield()
      let never = AsyncStream<Void>.makeStream()
      for await _ in never.stream {}
      return .failure(Failure(.cancelled, at: .connect, "fetch \(request.url): cancelled"))
    }
    // Time stands still until the endpoint is asked.
    let time = Task {
      for await _ in asked.stream { break }
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 20)
        await Task.yield()
      }
    }
    defer { time.cancel() }
    let row = try await fixture.row(in: transport, deadlineMilliseconds: 4_000) { $0.clock = clock }
    #expect(row["status"] == "ok")
    #expect(row["title"] == "Page")
    #expect(row["attempts"] == "1")
    #expect(row["card.embed_error.kind"] == "deadline")
  }

  @Test func `a host of endpoints that only fails is given up, and all pages count`() async throws {
    let clock = ManualClock()
    let fixture = EmbedFixture { request in
      request.url.hasPrefix("http://b.test/")
        ? .failure(Failure(.connect, at: .connect, "fetch \(request.url): refused", retryable: true))
        : .success(.naming())
    }
    let drafts = (0..<60).map { number in
      var draft = JobDraft(kind: .title, input: "http://h\(number).test/")
      draft.reading.wantsEmbed = true
      return draft
    }
    var pipeline = TestPipeline()
    pipeline.clock = clock
    let time = Task {
      while !Task.isCancelled {
        clock.advance(byMilliseconds: 100)
        await Task.yield()
      }
    }
    defer { time.cancel() }
    let rows = try await pipeline.run(drafts, over: fixture.fetching).map(Row.init)
    #expect(rows.allSatisfy { $0["status"] == "ok" && $0["card.embed_error.kind"] == "connect" })
    #expect(rows.contains { $0["card.embed_error.message"]?.contains("given up until") == true })
    #expect(fixture.lines.count { $0.contains("b.test") } < 60)
  }
}
