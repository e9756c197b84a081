import Pipeline
import PipelineTesting
import Roles
import Testing

/// What becomes of JSON in its many forms.
@Suite(.timeLimit(.minutes(10)))
struct DecodeTests {
  private func decode(
    _ body: [UInt8], type: String? = nil, url: String = "http://a.test/data", select: String? = nil,
    require: [String] = [], unwraps: Bool = false, truncated: Bool = false
  ) async throws -> Row {
    var response = FetchResponse(
      status: 200, headers: type.map { [HeaderField("Content-Type", $0)] } ?? [], body: body)
    response.truncated = truncated
    let draft = JobDraft(kind: .decode, input: url, select: select, require: require, unwraps: unwraps)
    return try await row(of: draft, over: [url: response])
  }

  private func decode(
    _ text: String, type: String? = nil, url: String = "http://a.test/data", select: String? = nil,
    require: [String] = [], unwraps: Bool = false, truncated: Bool = false
  ) async throws -> Row {
    try await decode(
      Array(text.utf8), type: type, url: url, select: select, require: require, unwraps: unwraps,
      truncated: truncated)
  }

  @Test(arguments: [
    "application/json", "application/json; charset=utf-8", "application/problem+json",
    "application/vnd.api+json",
    "text/json", "text/plain", "text/html", "application/octet-stream", nil,
  ])
  func `one text is read whatever its type`(type: String?) async throws {
    let row = try await decode("\u{FEFF} {\"a\": 1.50}\n", type: type)
    #expect(row.text.contains(#""value":{"a":1.50},"#))
    #expect(row["warnings"] == nil)
  }

  @Test(arguments: [
    ("application/x-ndjson", "/data"), ("application/ndjson", "/data"), ("application/jsonl", "/data"),
    ("Application/JSONL; charset=UTF-8", "/data"), ("application/ jsonl", "/data"),
    ("application/json-lines", "/data"),
    ("application/jsonlines", "/data"),
    ("application/stream+json", "/data"), ("text/x-ndjson", "/data"),
    ("text/plain; charset=utf-8", "/a.jsonl"),
    ("application/octet-stream", "/A.NDJSON"), (nil, "/a.ndjson?x=1"),
  ])
  func `lines are known by their type, or by their name where the type says nothing`(
    type: String?, path: String
  ) async throws {
    let row = try await decode("{\"a\":1}\n{\"a\":2}\n", type: type, url: "http://a.test\(path)")
    #expect(row.text.contains(#""value":[{"a":1},{"a":2}],"#))
  }

  @Test(arguments: [
    ("application/json-seq", "\u{1E}1\n\u{1E}2\n"), ("application/geo+json-seq", "\u{1E}1\n\u{1E}2\n"),
    ("application/json", "\u{1E}1\n\u{1E}2\n"), (nil, "\u{FEFF}\u{1E}1\n\u{1E}2\n"),
  ])
  func `a sequence is known by its type or its first byte`(type: String?, text: String) async throws {
    #expect(try await decode(text, type: type).text.contains(#""value":[1,2],"#))
  }

  @Test(arguments: [("application/json", "/a.jsonl"), ("text/html", "/data")])
  func `several texts are no document`(type: String, path: String) async throws {
    let row = try await decode("1\n2\n", type: type, url: "http://a.test\(path)")
    #expect(row["error.kind"] == "data_parsing_failed")
    #expect(row["error.message"]?.contains("expected nothing after the value at byte 2") == true)
  }

  @Test(arguments: [(FailureKind.bodyTooLarge, "; allow more with --max-body"), (.protocolError, "")])
  func `a body that is too large is the one that a larger cap helps`(kind: FailureKind, advice: String)
    async throws
  {
    let url = "http://a.test/data"
    var response = FetchResponse(status: 200)
    response.bodyFailure = Failure(kind, at: .body, "fetch \(url): told")
    let row = try await row(of: JobDraft(kind: .decode, input: url), over: [url: response])
    #expect(row["error.message"] == "fetch \(url): told\(advice)")
  }

  @Test func `a broken line fails the job and is named`() async throws {
    let row = try await decode("1\n[2\n3\n", type: "application/jsonl")
    #expect(row["error.kind"] == "data_parsing_failed")
    #expect(row["error.stage"] == "json")
    #expect(
      row["error.message"] == "decode http://a.test/data: line 2: the document ends too early at byte 4")
    #expect(row["value"] == nil)
  }

  @Test(arguments: [
    ("{\n  \"é\": [1,\n  2,}\n}", "expected a value at byte 18 (line 3, column 5)"),
    ("{\n  \"a\": 1", "the document ends too early at byte 10 (line 2, column 9)"),
    (
      "\n<html>", "expected a value at byte 1 (line 2, column 1); it begins like a page, so try halyard title"
    ),
    ("[1,}", "expected a value at byte 3"),
  ])
  func `an error in a document of several lines names the line`(text: String, cause: String) async throws {
    let row = try await decode(text, type: "application/json")
    #expect(row["error.message"] == "decode http://a.test/data: \(cause)")
  }

  @Test func `a document of too many values is too large, and the limit is named`() async throws {
    let text = "[" + String(repeating: "1,", count: 1 << 22) + "1]"
    let row = try await decode(text)
    #expect(row["error.kind"] == "body_too_large")
    #expect(row["error.message"]?.contains("it has more than 4194304 values, the most") == true)
  }

  @Test func `a document that is nested too deeply names the limit`() async throws {
    let row = try await decode(String(repeating: "[", count: 600))
    #expect(row["error.kind"] == "data_parsing_failed")
    #expect(row["error.message"]?.contains("more than 512 arrays and objects inside each other") == true)
  }

  @Test func `a broken text of a sequence is a warning`() async throws {
    let row = try await decode("\u{1E}1\n\u{1E}{]\n\u{1E}3\n", type: "application/json-seq")
    #expect(row.text.contains(#""value":[1,3],"#))
    #expect(
      row.text.contains(
        #""warnings":["passed over text 2: expected a member name in double quotes at byte 5"],"#))
    let many = try await decode(String(repeating: "\u{1E}x\n", count: 20) + "\u{1E}1\n")
    #expect(many.text.contains(#","passed over 12 more texts"]"#))
  }

  @Test(arguments: ["application/x-ndjson", "application/json-seq"])
  func `a stream may be empty, a document not`(type: String) async throws {
    #expect(try await decode("", type: type).text.contains(#""value":[],"#))
    #expect(try await decode("", type: "application/json")["error.kind"] == "no_data")
  }

  @Test func `what was cut off is a failure where nobody could tell`() async throws {
    for (text, type) in [
      ("1\n2\n", "application/jsonl"), ("\u{1E}1\n", "application/json-seq"), ("12", "text/json"),
    ] {
      let row = try await decode(text, type: type, truncated: true)
      #expect(row["error.kind"] == "data_parsing_failed")
      #expect(
        row["error.message"]
          == "decode http://a.test/data: the body ended too early, after \(text.utf8.count) bytes")
    }
    #expect(try await decode("{}", truncated: true)["status"] == "ok")
  }

  @Test func `a repeated member is a warning, and the last one counts`() async throws {
    let row = try await decode(#"{"a":1,"b":{"c":1,"c":2},"a":2}"#, select: "/a")
    #expect(row["value"] == "2")
    #expect(
      row.text.contains(
        #""warnings":["the member 'a' at byte 25 is there before; the last one counts","the member 'c' at byte 18 is there before; the last one counts"],"#
      ))
  }

  @Test(arguments: [
    ("[1,}", "expected a value at byte 6"), ("[\"é😀\",}", "expected a value at byte 14"),
    ("\u{FEFF}[1,}", "expected a value at byte 8"),
    ("[\"\u{1}\"]", "control character inside a string at byte 4"),
  ])
  func `an error in UTF-16 names the byte as it was sent`(text: String, cause: String) async throws {
    let body = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    #expect(try await decode(body)["error.message"] == "decode http://a.test/data: \(cause)")
  }

  @Test func `a warning in UTF-16 names the byte as it was sent`() async throws {
    let body = #"{"a":1,"a":2}"#.utf16.flatMap { [UInt8(0), UInt8($0)] }
    #expect(
      try await decode(body).text.contains(
        #""warnings":["the member 'a' at byte 14 is there before; the last one counts"]"#))
  }

  @Test func `a script is read only when that is wished, and the wish is suggested`() async throws {
    for text in [")]}'\n{\"a\":1}", "/**/cb({\"a\":1});"] {
      #expect(try await decode(text, unwraps: true).text.contains(#""value":{"a":1},"#))
      let row = try await decode(text)
      #expect(row["error.kind"] == "data_parsing_failed")
      #expect(row["error.message"]?.hasSuffix("; it is JSON inside a script, so try --unwrap") == true)
    }
    #expect(try await decode("cb(x)")["error.message"]?.contains("unwrap") == false)
  }

  @Test func `requirements are checked on the whole document before the selection`() async throws {
    let text = #"{"items":[{"id":1},{"id":"x"}],"count":2}"#
    let ok = try await decode(
      text, select: "/count", require: ["$.items[*]:object", "/count:integer", "/next:any?"])
    #expect(ok["value"] == "2")
    let failed = try await decode(
      text, select: "/absent", require: ["/count:integer", "$.items[*].id:integer"])
    #expect(failed["error.kind"] == "decode_mismatch")
    #expect(failed["error.stage"] == "json")
    #expect(
      failed["error.message"]
        == "require '$.items[*].id:integer' of http://a.test/data: expected integer at /items/1/id, found the string \"x\""
    )
    #expect(failed["value"] == nil)
  }

  @Test func `a requirement that is none is invalid input`() async throws {
    let row = try await decode("{}", require: ["/a:int"])
    #expect(row["error.kind"] == "invalid_input")
    #expect(row["error.message"]?.hasPrefix("require '/a:int' does not end in a type") == true)
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `how to read travels with the job`(transport: TransportUnderTest) async throws {
    let draft = JobDraft(
      kind: .decode, input: "http://a.test/", select: "/a", require: ["/a:integer"], unwraps: true)
    let pages = ["http://a.test/": FetchResponse.json("for(;;);{\"a\":7}")]
    #expect(try await row(of: draft, over: pages, in: transport)["value"] == "7")
  }

  @Test func `jobs that demand something else are other questions`() async throws {
    let pages = ["http://a.test/": FetchResponse.json(#"{"a":7}"#)]
    let drafts = [[], ["/a:integer"], ["/a:string"]].map {
      JobDraft(kind: .decode, input: "http://a.test/", require: $0)
    }
    let rows = try await TestPipeline().run(drafts, over: ScriptedFetching(pages), ordered: true).map(
      Row.init)
    #expect(rows.map { $0["error.kind"] } == [nil, nil, "decode_mismatch"])
  }
}
