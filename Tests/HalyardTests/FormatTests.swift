import Testing

/// Every form of input and output.
@Suite(.timeLimit(.minutes(10)))
struct FormatTests {
  @Test func `ordered rows follow the input whatever the answers take`() async throws {
    let site = try TestSite()
    let waits = [90, 10, 70, 0, 50, 30, 80, 20, 60, 40]
    let list = (0..<100).map { "\(site.url("/wait/\(waits[$0 % 10])/\($0)"))\n" }
    let child = try Child(
      ["unfurl", "-", "--ordered", "--per-host", "20"] + loopback, input: .text(list.joined()))
    let rows = try await child.ended().rows()
    #expect(rows.map(\.ordinal) == Array(0..<100))
    #expect(rows.map { "\($0["input"] ?? "")\n" } == list)
  }

  @Test func `kept CSV columns come back in the row`() async throws {
    let site = try TestSite()
    let table = "id,Link,note\n7,\(site.url("/page/1")),\"a, b\"\n8,,\n"
    let options = ["--column", "link", "--keep", "note,id", "--ordered"]
    let rows = try await Child(["title", "-"] + options + loopback, input: .text(table)).ended().rows()
    #expect(rows.map(\.outcome) == ["ok", "missing_input"])
    #expect(rows.map { $0["kept"] } == [#"{"note":"a, b","id":"7"}"#, #"{"note":"","id":"8"}"#])
    let fields = ["--format", "csv", "--fields", "kept.id,title,kept.note"]
    let ended = try await Child(["title", "-"] + options + fields + loopback, input: .text(table)).ended()
    #expect(ended.lines == ["kept.id,title,kept.note", #"7,/page/1,"a, b""#, "8,,"])
  }

  @Test func `JSONL jobs bring their own kind, key and selection`() async throws {
    let site = try TestSite()
    let jobs = """
      {"url":"\(site.url("/page/1"))","kind":"title","ref":"a"}
      {"url":"\(site.url("/json"))","kind":"decode","select":"/list/1","ref":7}
      {"url":"\(site.url("/page/3"))"}
      {"url":"\(site.url("/page/4"))","colour":"red"}

      """
    let child = try Child(["unfurl", "-", "--ordered"] + loopback, input: .text(jobs))
    let rows = try await child.ended().rows()
    #expect(rows.map { $0["kind"] } == ["title", "decode", "unfurl", "unfurl"])
    #expect(rows.map { $0["ref"] } == ["a", "7", nil, nil])
    #expect(rows.map(\.outcome) == ["ok", "ok", "ok", "invalid_input"])
    #expect(rows.map { $0["title"] ?? $0["value"] } == ["/page/1", "two", nil, nil])
  }

  @Test func `gzip input is unpacked`() async throws {
    // "not a link\nnor this\n", as gzip writes it.
    let packed: [UInt8] = [
      0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xCB, 0xCB, 0x2F, 0x51, 0x48, 0x54, 0xC8,
      0xC9, 0xCC, 0xCB, 0xE6, 0xCA, 0xCB, 0x2F, 0x52, 0x28, 0xC9, 0xC8, 0x2C, 0xE6, 0x02, 0x00, 0x5A, 0x09,
      0x7F, 0xD8, 0x14, 0x00, 0x00, 0x00,
    ]
    let ended = try await halyard("unfurl", "-", "--ordered", input: .bytes(packed))
    #expect(ended.status == 1)
    #expect(try ended.rows().map { $0["input"] } == ["not a link", "nor this"])
    let cut = try await halyard("unfurl", "-", input: .bytes(packed.dropLast(8)))
    #expect(cut.status == 65)
    #expect(cut.messages == "halyard: standard input: the gzip data ends too early\n")
  }

  @Test(arguments: [
    ("jsonl", #"{"input":"a b","error.kind":"invalid_input","title":null}"#),
    ("csv", "input,error.kind,title\na b,invalid_input,"),
    ("tsv", "input\terror.kind\ttitle\na b\tinvalid_input\t"),
  ])
  func `chosen members come in every format`(format: String, text: String) async throws {
    let ended = try await halyard("title", "--format", format, "--fields", "input,error.kind,title", "a b")
    #expect(ended.output == "\(text)\n")
  }

  @Test func `a table is cut to its width and shows results first`() async throws {
    let site = try TestSite()
    let ended = try await Child(
      ["title", "--format", "table", "--ordered", site.url("/page/1"), "a b"] + loopback
    ).ended()
    #expect(ended.lines.map { $0.prefix { $0 != " " } } == ["RESULT", "ok", "invalid_input", ""])
    #expect(ended.lines.dropLast().allSatisfy { $0.count <= 100 })
    #expect(!ended.output.contains("\u{1B}"))
  }
}
