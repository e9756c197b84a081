import JSONQuery
import Pipeline
import Testing

@testable import HalyardCLI
@testable import Roles

/// How an explanation reads, word for word.
@Suite struct ExplanationReportTests {
  private func step(
    _ url: String, _ response: FetchResponse?, _ rule: Explanation.Rule, sent: [String] = [],
    method: FetchRequest.Method = .get
  ) -> Explanation.Step {
    Explanation.Step(url: url, method: method, sent: sent, response: response, rule: rule)
  }

  private var redirect: FetchResponse {
    var response = FetchResponse(
      status: 302,
      headers: [
        HeaderField("Location", "https://b.test/\u{1B}[31m"), HeaderField("Set-Cookie", "id=secret; Path=/"),
        HeaderField("X-Other", "1"),
      ], remoteAddress: "192.0.2.7")
    response.version = .http2
    response.timings.nameLookup = 1_200
    response.timings.connect = 3_700
    response.timings.firstByte = 10_000
    response.timings.total = 10_050
    return response
  }

  private var explanation: Explanation {
    var explanation = Explanation()
    explanation.steps = [
      step(
        "http://a.test/", redirect, .goesOn(to: "https://b.test/", via: .location),
        sent: ["X-Key", "Cookie"]),
      step(
        "https://b.test/", FetchResponse(status: 200), .goesOn(to: "https://b.test/2", via: .metaRefresh)),
      step("https://b.test/2", FetchResponse(status: 200), .arrived(nil)),
    ]
    explanation.row = Array(#"{"url":"https://b.test/2","title":"Goal","title_source":"og"}"#.utf8)
    return explanation
  }

  @Test func `the text tells each exchange and what came of them`() throws {
    let text = try explanation.text
    #expect(
      text == """
        1  GET http://a.test/
           with X-Key, Cookie
           HTTP/2 302 from 192.0.2.7 in 10.0 ms = dns 1.2 + connect 2.5 + first byte 6.3 + body 0.0
           Location: https://b.test/\u{FFFD}[31m
           Set-Cookie: id=…
           → 302 with a Location: goes on to https://b.test/
             another origin: X-Key is dropped, for good

        2  GET https://b.test/
           200 over TLS in 0.0 ms
           → the page asks for a refresh within 10 s: goes on to https://b.test/2

        3  GET https://b.test/2
           200 over TLS in 0.0 ms
           → 200 leads nowhere else: this is the end

        ok: https://b.test/2
           title: Goal (from og)

        """)
  }

  private func withEmbed(_ row: String) -> Explanation {
    var explanation = Explanation()
    explanation.wantsEmbed = true
    explanation.steps = [
      step(
        "http://a.test/", FetchResponse(status: 200), .asksEndpoint("http://a.test/o"),
        sent: ["X-Key", "Cookie"]),
      step("http://a.test/o", FetchResponse(status: 200), .arrived(nil)),
    ]
    explanation.steps[1].isForEmbed = true
    explanation.row = Array(row.utf8)
    return explanation
  }

  @Test func `an oEmbed endpoint is told as a oembed, with what came of it`() throws {
    let explanation = withEmbed(
      #"""
      {"url":"http://a.test/","title":"T","card":{"oembed":"http://a.test/o","author":"Ann","image":"i",
       "embed":{"type":"video","title":"V","author_name":"Ann","html":"<b>"},
       "sources":{"author":"oembed","image":"og","embed":"oembed"}}}
      """#)
    #expect(
      try explanation.text == """
        1  GET http://a.test/
           with X-Key, Cookie
           200 in 0.0 ms
           → 200 leads nowhere else: this is the page; its oEmbed endpoint is asked too, http://a.test/o
             nothing that was for the page goes along: X-Key, Cookie

        2  GET http://a.test/o
           200 in 0.0 ms
           → 200 leads nowhere else: this is the end

        ok: http://a.test/
           title: T (from title)
           image: i (from og)
           author: Ann (from oembed)
           oembed: type video, title V, author_name Ann; it fills author

        """)
    let root = try JSONDocument(parsing: explanation.json).root
    let steps = try #require(root["steps"]).elements.map { $0 }
    #expect(steps.map { $0["rule"]?.string } == ["oembed", "arrived"])
    #expect(steps.map { $0["for"]?.string } == [nil, "oembed"])
  }

  @Test(arguments: [
    (#"{"oembed":"o","embed_error":{"kind":"dns","message":"no such host"}}"#, "oembed: dns: no such host"),
    (#"{"oembed":"o","embed":{"type":"link"}}"#, "oembed: type link"),
    ("{}", "oembed: the page names no endpoint, and no provider is known for it"),
  ])
  func `an endpoint that gave nothing is told too, and only where it was wanted`(card: String, line: String)
    throws
  {
    var explanation = withEmbed(#"{"url":"http://a.test/","card":\#(card)}"#)
    #expect(
      try explanation.text.hasSuffix("ok: http://a.test/\n   \(line)\n"))
    explanation.wantsEmbed = false
    #expect(try explanation.text.hasSuffix("ok: http://a.test/\n"))
  }

  @Test func `a failure is told once, with its kind`() throws {
    var explanation = Explanation()
    let failure = Failure(.dns, at: .dns, "fetch http://a.test/: no such host")
    explanation.steps = [step("http://a.test/", nil, .failed(failure), method: .head)]
    (explanation.failure, explanation.row) = (failure, Array("{}".utf8))
    #expect(
      try explanation.text == """
        1  HEAD http://a.test/
           → fetch http://a.test/: no such host

        failed: dns

        """)
  }

  @Test func `the JSON names the rules as rows do, and no cookie's value`() throws {
    let root = try JSONDocument(parsing: explanation.json).root
    let steps = try #require(root["steps"]).elements.map { $0 }
    #expect(steps.map { $0["rule"]?.string } == ["location", "meta_refresh", "arrived"])
    #expect(steps[0]["us"]?["connect"]?.int64 == 2_500)
    #expect(root["row"]?["title"]?.string == "Goal")
    #expect(
      !String(decoding: explanation.json, as: UTF8.self).contains("secret"))
  }

  @Test(arguments: [
    (Explanation.Rule.asksAgainWithGet, "asks_again_with_get", "HEAD is refused: asks again with GET"),
    (
      .asksEndpoint("http://a/o"), "oembed",
      " leads nowhere else: this is the page; its oEmbed endpoint is asked too, http://a/o"
    ),
    (
      .arrived(LaterRefresh(seconds: 30, url: "http://a/")), "refresh_too_late",
      "a refresh after 30 s is longer than 10 s, and not followed to http://a/: this is the end"
    ),
    (
      .goesOn(to: "http://a/", via: .refreshHeader), "refresh_header",
      "the Refresh header is no longer than 10 s: goes on to http://a/"
    ),
  ])
  func `each rule has its words`(rule: Explanation.Rule, name: String, sentence: String) {
    #expect(rule.name == name)
    #expect(rule.sentence(after: nil) == sentence)
  }
}
