import PipelineTesting
import Posix
import Testing

/// What users see of documents that are streams, stand in scripts, or are not what was asked for.
@Suite(.timeLimit(.minutes(10)))
struct DecodeTests {
  private static let items = #"{"items":[{"id":1},{"id":2.0},{"id":"x"}]}"#
  /// Path, type and body.
  private static let documents: [(path: String, type: String, body: String)] = [
    ("items", "application/json", items), ("call", "text/javascript", "cb(\(items));"),
    ("guard", "application/json", ")]}'\n\(items)"), ("lines", "application/x-ndjson", "1\n[2]\r\n\n3"),
    ("named.jsonl", "application/octet-stream", "1\n2\n"), ("broken", "application/x-ndjson", "1\n{]\n3\n"),
    ("sequence", "application/json-seq", "\u{1E}1\n\u{1E}{]\n\u{1E}{\"a\":3}\n"),
    ("problem", "application/problem+json", #"{"title":"gone"}"#),
  ]

  private final class Site: Sendable {
    let server = RawServer { peer in
      while let request = peer.readRequest() {
        let path = request.split(separator: " ").dropFirst().first.map { $0.dropFirst() } ?? ""
        let found = DecodeTests.documents.first { $0.path == path }
        let (status, type, body) =
          found.map { ($0.path == "problem" ? "410 Gone" : "200 OK", $0.type, $0.body) }
          ?? ("404 None", "text/plain", "")
        peer.send(
          "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
      }
    }

    deinit { server.stop() }

    func url(_ path: String) -> String { server.url + path }
  }

  private let site = Site()

  private func rows(_ options: [String] = [], _ paths: String...) async throws -> [Row] {
    let words = ["decode", "--ordered"] + options + paths.map(site.url) + loopback
    return try await Child(words).ended().rows()
  }

  @Test func `streams are arrays of their texts`() async throws {
    let found = try await rows([], "lines", "named.jsonl", "sequence", "broken")
    #expect(found.map { $0["value"] } == ["[1,[2],3]", "[1,2]", #"[1,{"a":3}]"#, nil])
    #expect(found.map(\.outcome) == ["ok", "ok", "ok", "data_parsing_failed"])
    #expect(found[2]["warnings"]?.isEmpty == false)
    #expect(found[3]["error.message"]?.contains("line 2") == true)
    let selected = try await rows(["--select", "/1/a", "--require", "$[*]:integer|object"], "sequence")
    #expect(selected.map { $0["value"] } == ["3"])
  }

  @Test func `a document comes with a status that is accepted, and with no other`() async throws {
    let plain = try await rows([], "problem", "items")
    #expect(plain.map(\.outcome) == ["http_status", "ok"])
    let found = try await rows(["--accept", "410,404", "--select", "/title"], "problem", "items", "nowhere")
    #expect(found.map(\.outcome) == ["ok", "http_status", "no_data"])
    #expect(found.map { $0["value"] } == ["gone", nil, nil])
    #expect(found[0]["http_status"] == "410")
    #expect(
      found[1]["error.message"]?.hasSuffix("the server answered 200, which --accept does not list") == true)
  }

  @Test func `JSON in a script is taken only when asked for`() async throws {
    #expect(
      try await rows([], "call", "guard").map(\.outcome) == ["data_parsing_failed", "data_parsing_failed"])
    let found = try await rows(["--unwrap", "--select", "/items/0"], "call", "guard", "items")
    #expect(found.map { $0["value"] } == [#"{"id":1}"#, #"{"id":1}"#, #"{"id":1}"#])
  }

  @Test func `a document that lacks what is required fails, and says where`() async throws {
    let held = try await rows(
      ["--require", "/items:array", "--require", "/next:string?", "--select", "/items/1/id"], "items")
    #expect(held.map { $0["value"] } == ["2.0"])
    let ended = try await Child(
      ["decode", "--require", "$.items[*].id:integer", site.url("items")] + loopback
    ).ended()
    #expect(ended.status == 1)
    let row = try #require(try ended.rows().first)
    #expect(row.outcome == "decode_mismatch")
    #expect(row["error.message"]?.contains("/items/2/id") == true)
  }

  @Test func `lines of JSONL have their own, and a fleet does it`() async throws {
    let fleet = try await UpFleet()
    let lines = [
      #"{"url":"\#(site.url("call"))","unwrap":true,"select":"/items/0/id"}"#,
      #"{"url":"\#(site.url("call"))","require":[]}"#,
      #"{"url":"\#(site.url("items"))","unwrap":false,"require":"/items:object"}"#,
      #"{"url":"\#(site.url("lines"))","require":["/1:array"]}"#,
    ]
    let own = try await Child(
      ["decode", "-", "--input-format", "jsonl", "--ordered"] + fleet.words,
      input: .text(lines.map { "\($0)\n" }.joined())
    ).ended()
    #expect(
      try own.rows().map(\.outcome) == ["ok", "data_parsing_failed", "decode_mismatch", "ok"],
      "\(own.messages)")
    let submitted = try await Child(
      [
        "submit", "--kind", "decode", "--unwrap", "--require", "/items:array", "--select", "/items/0/id",
        "--name", "calls", site.url("call"), site.url("lines"),
      ] + fleet.words
    ).ended()
    #expect(submitted.status == 0, "\(submitted.messages)")
    let rows = try await Child(["results", "calls", "--follow", "--ordered"] + fleet.words).ended().rows()
    #expect(Set(rows.map { "\($0.outcome) \($0["value"] ?? "")" }) == ["ok 1", "decode_mismatch "])
    try await fleet.stop()
  }
}
