import Testing

@testable import HalyardCLI

@Suite struct RowFormatTests {
  @Test func `jsonl hands rows on as they are`() throws {
    #expect(try output(["title"], [Rows.page, Rows.failure]) == "\(Rows.page)\n\(Rows.failure)\n")
    #expect(try output(["title"], []) == "")
  }

  @Test func `jsonl with fields is a flat object in the order asked for`() throws {
    let fields = "title,input,card.image,error.kind,hops,kept.a.b,ms"
    let text = try output(["title", "--keep", "a.b", "--fields", fields, "-"], [Rows.page, Rows.failure])
    #expect(
      text == #"""
        {"title":"Tea, \"hot\"","input":"http://sho.rt/x","card.image":"https://example.org/tea.png",\#
        "error.kind":null,"hops":[{"url":"http://sho.rt/x","status":301}],"kept.a.b":"dotted","ms":148}
        {"title":null,"input":"https://gone.test/","card.image":null,"error.kind":"http_status","hops":null,\#
        "kept.a.b":null,"ms":null}

        """#)
  }

  @Test func `csv starts with headings and quotes where RFC 4180 says so`() throws {
    let text = try output(["title", "--format", "csv", "--keep", "id"], [Rows.page, Rows.failure])
    #expect(
      text == """
        input,status,url,http_status,title,error.kind,id
        http://sho.rt/x,ok,https://example.org/post,200,"Tea, ""hot\""",,7
        https://gone.test/,failed,,404,,http_status,8

        """)
  }

  @Test func `each command has its own columns`() throws {
    #expect(try output(["unfurl", "--format", "csv"], []) == "input,status,url,http_status,error.kind\n")
    #expect(
      try output(["decode", "--format", "csv"], [Rows.value]) == """
        input,status,url,http_status,value,error.kind
        https://a.test/,ok,https://a.test/,200,"{""n"":1.50,""list"":[1,null]}",

        """)
    #expect(
      try output(["demo", "--format", "csv"], []) == "link,title,shows,status,http_status,error.kind\n")
  }

  @Test func `a kept column that is called like a member keeps its prefix`() throws {
    let heading = try output(["unfurl", "--format", "csv", "--keep", "url,id"], [])
    #expect(heading == "input,status,url,http_status,error.kind,kept.url,id\n")
  }

  static let csvCells: [(json: String, cell: String)] = [
    (#""plain""#, "plain"), (#""a,b""#, "\"a,b\""), (#""a\"b""#, "\"a\"\"b\""), (#""a\nb""#, "\"a\nb\""),
    (#""a\rb""#, "\"a\rb\""), (#""a\tb""#, "a\tb"), (#""=1+1""#, "=1+1"), (#""""#, "\"\""), ("null", "\"\""),
    ("1e3", "1e3"), ("true", "true"), ("[1, 2]", "\"[1,2]\""), ("{}", "{}"), (#""ü \u00e9""#, "ü é"),
  ]

  @Test(arguments: csvCells)
  func `a csv cell is a string bare, anything else as compact JSON`(row: (json: String, cell: String)) throws
  {
    let text = try output(["decode", "--format", "csv", "--fields", "value"], [#"{"value":\#(row.json)}"#])
    #expect(text == "value\n\(row.cell)\n")
  }

  static let tsvCells: [(json: String, cell: String)] = [
    (#""a\tb""#, #"a\tb"#), (#""a\nb\r""#, #"a\nb\r"#), (#""a\\nb""#, #"a\\nb"#), (#""a\"b,c""#, #"a"b,c"#),
    ("null", ""),
  ]

  @Test(arguments: tsvCells)
  func `a tsv cell has its tabs, line ends and backslashes escaped`(row: (json: String, cell: String)) throws
  {
    let text = try output(
      ["decode", "--format", "tsv", "--fields", "ms,value"], [#"{"ms":1,"value":\#(row.json)}"#])
    #expect(text == "ms\tvalue\n1\t\(row.cell)\n")
  }

  @Test(arguments: [["--format", "csv"], ["--format", "tsv"], ["--format", "table"], ["--fields", "url"]])
  func `a malformed row is our own fault and is said to be one`(words: [String]) {
    #expect(throws: OutputError.malformedRow("the document ends too early at byte 1")) {
      try output(["title"] + words, ["{"])
    }
  }

  @Test(arguments: [
    ["--format", "csv"], ["--format", "tsv"], ["--format", "table"], ["--fields", "value"],
  ])
  func `a row may hold the deepest of documents`(words: [String]) throws {
    let deepest = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(throws: Never.self) {
      try output(["decode"] + words, [#"{"status":"ok","value":\#(deepest)}"#])
    }
  }
}
