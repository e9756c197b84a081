import Pipeline
import Testing

@testable import LinkPreviews

struct PreviewQuestionTests {
  private func question(_ query: String, as shape: PreviewShape = .row) throws -> PreviewQuestion {
    try PreviewQuestion(query: query, kind: .title, as: shape)
  }

  @Test(arguments: [
    ("url=https%3A%2F%2Fa.test%2F%3Fx%3D1%26y%3D2", "https://a.test/?x=1&y=2"),
    ("url=https://a.test/?x=1&y=2", "https://a.test/?x=1&y=2"),
    ("url=https://a.test/?x=1&lang=de&y=2", "https://a.test/?x=1"),
    ("lang=de&url=https://a.test/", "https://a.test/"), ("uri=a.test", "http://a.test/"),
    ("url=HTTPS://A.test:443/b/../c", "https://a.test/c"),
    ("url=https%3A%2F%2Fa.test%2F%23part", "https://a.test/"), ("url=+a.test+", "http://a.test/"),
  ])
  func `the link is what stands behind url, encoded or not`(_ query: String, _ link: String) throws {
    #expect(try question(query).key.link == link)
  }

  @Test func `iframely's clients send all of a link behind url`() throws {
    let question = try question("api_key=x&url=https://a.test/?x=1&lang=de", as: .iframelyFlat)
    #expect(question.key.link == "https://a.test/?x=1&lang=de")
    #expect(question.key.language == nil)
  }

  @Test func `options are read, and what they cannot be is a problem`() throws {
    let question = try question("url=a.test&lang=pt-BR,+pt;q=0.8&timeout=2.5&refresh=1")
    #expect(question.key.language == "pt-BR, pt;q=0.8")
    #expect(question.timeoutMilliseconds == 2_500)
    #expect(question.wantsNew)
    #expect(try self.question("url=a.test&wait=0").timeoutMilliseconds == 0)
    #expect(try self.question("url=a.test&wait=1&timeout=2").timeoutMilliseconds == 2_000)
    #expect(try !self.question("url=a.test&refresh=false").wantsNew)
    #expect(try self.question("url=a.test&group=true").shape == .row)
    #expect(try self.question("url=a.test&group=true", as: .iframelyFlat).shape == .iframelyGrouped)
    for query in [
      "", "lang=de", "url=%zz", "url=a.test&timeout=31", "url=a.test&timeout=x", "url=a.test&lang=%0A",
      "url=a.test&wait=false", "url=a.test&wait=7", "url=a.test&refresh=yes",
    ] {
      #expect(throws: Problem.self) { try self.question(query) }
    }
  }

  @Test(arguments: [
    ("url=", FailureKind.missingInput), ("url=+", .missingInput), ("lang=de", .missingInput),
    ("url=no+link", .invalidInput), ("url=https://u:p@a.test/", .invalidInput),
    ("url=ftp://a.test/", .unsupportedScheme),
  ])
  func `what is no link is a problem at once`(_ query: String, _ kind: FailureKind) throws {
    let problem = try #require(throws: Problem.self) { try question(query) }
    #expect(problem.name == kind.rawValue && problem.status == 400)
  }

  @Test func `what is asked of one link is asked of others`() throws {
    let terms = try PreviewQuestion(query: "lang=de&timeout=2", kind: .title, as: .row, namesLink: false)
    let question = try terms.about("a.test")
    #expect(question.key == PreviewKey(kind: .title, link: "http://a.test/", language: "de"))
    #expect(question.timeoutMilliseconds == 2_000)
    #expect(throws: Problem.self) { try terms.about("no link") }
  }

  @Test func `a thumbnail that a consumer of oEmbed has no room for is left out`() throws {
    var store = PreviewStore()
    let row =
      #"{"input":"https://a.test/","url":"https://a.test/","card":{"image":"https://a.test/i","image_width":800,"image_height":600}}"#
    let kept = store.keep(
      Array(row.utf8), for: PreviewKey(kind: .title, link: "https://a.test/", language: nil),
      at: Moment(unixMilliseconds: 0))
    for (terms, fits) in [
      ("", true), ("&maxwidth=800&maxheight=600", true), ("&maxwidth=799", false), ("&maxheight=599", false),
    ] {
      let shape = try question("url=a.test\(terms)", as: .oembed).shape(for: kept)
      #expect(shape == (fits ? .oembed : .oembedWithoutThumbnail))
      #expect(
        String(decoding: kept.rendering(as: shape).body, as: UTF8.self).contains("thumbnail_url") == fits)
    }
    #expect(try question("url=a.test&maxwidth=1").shape(for: kept) == .row)
  }

  @Test func `another format of oEmbed is not served`() throws {
    #expect(throws: Problem("not-implemented", 501, "the format 'xml' is not served; json is")) {
      try PreviewQuestion(query: "url=a.test&format=xml", kind: .title, as: .oembed)
    }
  }
}
