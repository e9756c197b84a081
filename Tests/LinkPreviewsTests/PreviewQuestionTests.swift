import Pipeline
import Testing

@testable import LinkPreviews

struct PreviewQuestionTests {
  private func question(_ query: String, takesRest: Bool = false) throws -> PreviewQuestion {
    try PreviewQuestion(
      query: query, kind: .title, as: takesRest ? .iframelyFlat : .row, takesRest: takesRest)
  }

  @Test(arguments: [
    ("url=https%3A%2F%2Fa.test%2F%3Fx%3D1%26y%3D2", "https://a.test/?x=1&y=2"),
    ("url=https://a.test/?x=1&y=2", "https://a.test/?x=1&y=2"),
    ("url=https://a.test/?x=1&lang=de&y=2", "https://a.test/?x=1"),
    ("lang=de&url=https://a.test/", "https://a.test/"), ("uri=a.test", "http://a.test/"),
    ("url=HTTPS://A.test:443/b/../c", "https://a.test/c"),
    ("url=https://u:p@a.test/", "https://u:p@a.test/"), ("url=no+link", "no link"),
  ])
  func `the link is what stands behind url, encoded or not`(_ query: String, _ link: String) throws {
    #expect(try question(query).key.link == link)
  }

  @Test func `iframely's clients send all of a link behind url`() throws {
    let question = try question("api_key=x&url=https://a.test/?x=1&lang=de", takesRest: true)
    #expect(question.key.link == "https://a.test/?x=1&lang=de")
    #expect(question.key.language == nil)
  }

  @Test func `options are read, and what they cannot be is a problem`() throws {
    let question = try question("url=a.test&lang=pt-BR,+pt;q=0.8&timeout=2.5&refresh=1")
    #expect(question.key.language == "pt-BR, pt;q=0.8")
    #expect(question.timeoutMilliseconds == 2_500)
    #expect(question.wantsNew)
    #expect(try self.question("url=a.test&wait=0").timeoutMilliseconds == 0)
    #expect(try self.question("url=a.test&group=true", takesRest: false).shape == .row)
    for query in [
      "", "lang=de", "url=%zz", "url=a.test&timeout=31", "url=a.test&timeout=x", "url=a.test&lang=%0A",
    ] {
      #expect(throws: Problem.self) { try self.question(query) }
    }
  }

  @Test func `another format of oEmbed is not served`() throws {
    #expect(throws: Problem("not-implemented", 501, "the format 'xml' is not served; json is")) {
      try PreviewQuestion(query: "url=a.test&format=xml", kind: .title, as: .oembed)
    }
  }
}
