import Pipeline
import Roles
import Testing

@testable import HalyardCLI

@Suite struct JSONLInputTests {
  @Test func `a job has a url and perhaps a kind, a ref and a select`() {
    let yield = read(
      #"""
      {"url":" https://a.test/ ","kind":"decode","ref":"k1","select":"/a/0"}

      {"ref":12345678901234567890.50,"url":"https:\/\/b.test\/"}
      {"url":"https://c.test/","kind":null,"ref":null,"select":null}
      {"url":"https://d.test/","select":"$..a[?@.b == 'c']"}
      """#)
    #expect(
      yield.jobs == [
        placed(JobDraft(kind: .decode, input: "https://a.test/", ref: "k1", select: "/a/0"), on: 1),
        placed(JobDraft(kind: .title, input: "https://b.test/", ref: "12345678901234567890.50"), on: 3),
        placed(JobDraft(kind: .title, input: "https://c.test/"), on: 4),
        placed(JobDraft(kind: .title, input: "https://d.test/", select: "$..a[?@.b == 'c']"), on: 5),
      ])
  }

  @Test func `a job may say what its document must hold and that it may be a script`() {
    let yield = read(
      #"""
      {"url":"u","require":["/a:integer","$..b:any?"],"unwrap":true}
      {"url":"u","require":"/a:integer","unwrap":false}
      {"url":"u","require":[],"unwrap":null}
      {"url":"u","require":null}
      """#, in: InputContext(kind: .decode, reading: Reading(require: ["/c:any"], unwraps: true)))
    #expect(yield.problems == [nil, nil, nil, nil])
    #expect(
      yield.jobs.map(\.reading.require) == [["/a:integer", "$..b:any?"], ["/a:integer"], [], ["/c:any"]])
    #expect(yield.jobs.map(\.reading.unwraps) == [true, false, true, true])
  }

  @Test func `what all jobs have is for those of a kind that can use it`() {
    let yield = read(
      #"""
      {"url":"u","kind":"title","oembed":false}
      {"url":"u","kind":"title"}
      {"url":"u","kind":"unfurl","oembed":true}
      {"url":"u","oembed":true}
      """#, in: InputContext(kind: .decode, reading: Reading(select: "/a", wantsEmbed: true)))
    #expect(yield.jobs.map(\.reading.wantsEmbed) == [false, true, false, false])
    #expect(yield.jobs.map(\.reading.select) == [nil, nil, nil, "/a"])
  }

  @Test func `a job of any kind may have a language, and without one it has that of all jobs`() {
    var reading = Reading()
    reading.language = "fr"
    let yield = read(
      #"""
      {"url":"u","kind":"unfurl","language":"pt-BR, pt;q=0.8"}
      {"url":"u","kind":"decode","language":null}
      {"url":"u"}
      """#, in: InputContext(kind: .title, reading: reading))
    #expect(yield.problems == [nil, nil, nil])
    #expect(yield.jobs.map(\.reading.language) == ["pt-BR, pt;q=0.8", "fr", "fr"])
  }

  static let faults: [(line: String, problem: String)] = [
    (#"{"uri":"https://a.test/"}"#, "line 2 has the unknown member 'uri' — did you mean 'url'?"),
    (#"{"url":"https://a.test/","depth":3}"#, "line 2 has the unknown member 'depth'"),
    (#"{"url":17}"#, "line 2 has a 'url' that is not a string"),
    (#"{"url":"u","ref":true}"#, "line 2 has a 'ref' that is not a string"),
    (#"{"url":"u","select":7}"#, "line 2 has a 'select' that is not a string"),
    (
      #"{"url":"u","language":"German!"}"#,
      "line 2 has a language that is not a list of languages such as 'de' or 'pt-BR, pt;q=0.8'"
    ),
    (#"{"url":"u","oembed":"yes"}"#, "line 2 has an 'oembed' that is neither true nor false"),
    (#"{"url":"u","kind":"crawl"}"#, "line 2 has the unknown kind 'crawl'; kinds are unfurl, title, decode"),
    (
      #"{"url":"u","select":"a"}"#,
      "line 2 has a select that is neither a JSON Pointer nor a JSONPath query: it must be empty or start with '/' or '$'"
    ),
    (
      #"{"url":"u","select":"$.a.*.1"}"#,
      "line 2 has a select that is not a JSONPath query: expected a member name or '*' at byte 6"
    ),
    (
      #"{"url":"u","select":"/~2"}"#,
      "line 2 has a select that is not a JSON Pointer: '~' must be followed by 0 or 1"
    ),
    (
      #"{"url":"u","require":7}"#,
      "line 2 has a 'require' that is neither a string nor an array of strings"
    ),
    (
      #"{"url":"u","require":["/a:any",{}]}"#,
      "line 2 has a 'require' that is neither a string nor an array of strings"
    ),
    (
      #"{"url":"u","require":"/a"}"#,
      "line 2 has a 'require' that is not a requirement: '/a' does not end in a type: write PATH:TYPE, where TYPE is object, array, string, number, integer, boolean, null or any"
    ),
    (#"{"url":"u","unwrap":"yes"}"#, "line 2 has an 'unwrap' that is neither true nor false"),
    (#"{"url":"u""#, "line 2 is not JSON: the document ends too early at byte 10"),
    (#"["https://a.test/"]"#, #"line 2 is not a JSON object such as {"url":"https://example.org/"}"#),
    (#""https://a.test/""#, #"line 2 is not a JSON object such as {"url":"https://example.org/"}"#),
    ("https://a.test/", "line 2 is not JSON: expected a value at byte 0"),
  ]

  @Test(arguments: faults)
  func `a bad line fails alone and says why`(row: (line: String, problem: String)) {
    let yield = read("{\"url\":\"https://a.test/\"}\n\(row.line)\n{\"url\":\"https://b.test/\"}\n")
    #expect(yield.problems == [nil, row.problem, nil])
    #expect(yield.jobs[1].refusal?.kind == .invalidInput)
    #expect(yield.fault == nil)
  }

  @Test(arguments: [#"{}"#, #"{"url":null}"#, #"{"url":" "}"#, #"{"ref":"k"}"#])
  func `a line without a url is a missing link`(line: String) {
    let yield = read(line)
    #expect(yield.jobs.map(\.refusal) == [Failure(.missingInput, at: .input, "line 1 has no url")])
  }

  @Test func `a bad line keeps its url and ref, so that its row can be found`() {
    let draft = read(#"{"depth":3,"url":"https://a.test/","ref":"k"}"#).jobs.first
    #expect(draft?.input == "https://a.test/")
    #expect(draft?.ref == "k")
    #expect(draft?.refusal != nil)
  }

  @Test func `a link over 64 KiB fails alone, and its job keeps its ref`() {
    let long = #"{"ref":"k","url":"https://a.test/"# + String(repeating: "x", count: 70_000) + "\"}"
    let yield = read("\(long)\n{\"url\":\"https://b.test/\"}\n")
    #expect(yield.problems == ["line 1 has a link longer than 64KiB", nil])
    #expect(yield.jobs.map(\.ref) == ["k", nil])
    #expect(yield.urls[0]?.utf8.count == 203)
  }

  @Test func `a long line is read whole, and one over 16 MiB fails alone`() {
    let document = String(repeating: "x", count: 1 << 20)
    let row = #"{"input":"https://a.test/","ref":7,"value":"\#(document)"}"#
    let huge = #"{"url":""# + String(repeating: "x", count: 17 << 20) + #""}"#
    let yield = read("\(row)\n\(huge)\n{\"url\":\"https://b.test/\"}\n")
    #expect(yield.jobs.map(\.ref) == ["7", nil, nil])
    #expect(yield.problems == [nil, "line 2 is longer than 16MiB", nil])
  }

  @Test func `a row of halyard's own is the job that it came from`() {
    let yield = read(
      #"""
      {"schema":"halyard.result/1","ordinal":0,"kind":"unfurl","input":"https://a.test/","url":"https://b.test/","ref":"k","kept":{"id":"1","n":"x"},"origin":{"file":"a.md","line":2,"column":3,"text":"t"},"hops":[]}
      {"input":"https://c.test/","title":"T"}
      {"schema":"halyard.result/1","kind":"title","status":"failed"}
      {"schema":"halyard.result/1","kind":"run","input":"users"}
      """#)
    #expect(yield.urls == ["https://a.test/", "https://c.test/", nil, "users"])
    #expect(yield.jobs.map(\.kind) == [.title, .title, .title, .title])
    #expect(yield.jobs[0].ref == "k")
    #expect(yield.jobs[0].kept == [KeptColumn("id", "1"), KeptColumn("n", "x")])
    #expect(yield.jobs[0].origin == LinkOrigin(file: "a.md", line: 2, column: 3, text: "t"))
    #expect(
      yield.problems == [nil, nil, "line 3 has no url", "line 4 is the row of a recipe, and not of a link"])
  }
}
