import Testing

/// Links out of documents, as a user has them.
@Suite(.timeLimit(.minutes(5)))
struct DocumentTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func file(_ name: String, _ text: String) throws -> String {
    try folder.path(name, holding: text)
  }

  @Test func `links of documents are fetched, and their rows say where they stand`() async throws {
    let site = try TestSite()
    let notes = try file(
      "notes.md", "# Notes\n\n- [One](\(site.url("/page/1")))\n- [two](page/2) [top](#top)\n")
    let page = try file("page.html", "<p><a href='/page/3'>Three</a>")
    let words = ["title", "--input", notes, "--input", page, "--ordered"] + loopback
    let some = try await Child(words).ended()
    #expect(some.messages.hasSuffix("1 ok; left out 2 relative links (no --base-url)\n"))
    let ended = try await Child(words + ["--base-url", site.url("/")]).ended()
    let rows = try ended.rows()
    #expect(ended.status == 0)
    #expect(rows.map { $0["title"] } == ["/page/1", "/page/2", "/page/3"])
    #expect(rows.map { $0["origin.file"] } == [notes, notes, page])
    #expect(rows.map { $0["origin.line"] } == ["3", "4", "1"])
    #expect(rows.map { $0["origin.column"] } == ["3", "3", "13"])
    #expect(rows.map { $0["origin.text"] } == ["One", "two", "Three"])
    let table = ["--format", "csv", "--fields", "origin.line,origin.text", "--quiet"]
    #expect(try await Child(words + table).ended().lines == ["origin.line,origin.text", "3,One"])
  }

  @Test func `links prints the links of documents, one a line`() async throws {
    let notes = try file("notes.md", "[a](https://a.test/) [b](b.md)\n")
    let text = try file("notes.txt", "See https://c.test/.\n")
    let ended = try await Child(["links", notes, text]).ended()
    #expect(ended.status == 0)
    #expect(ended.lines == ["https://a.test/", "https://c.test/"])
    #expect(ended.messages == "halyard: left out 1 relative link (no --base-url)\n")
    let all = try await Child(["links", "--base-url", "https://d.test/x/", notes, text]).ended()
    #expect(all.lines == ["https://a.test/", "https://d.test/x/b.md", "https://c.test/"])
    #expect(all.messages.isEmpty)
  }

  @Test func `links prints jobs that other commands take, with their places`() async throws {
    let site = try TestSite()
    let notes = try file("notes.md", "\n[One](\(site.url("/page/1")))\n")
    let printed = try await Child(["links", "--format", "jsonl", notes]).ended()
    #expect(
      printed.lines == [
        #"{"url":"\#(site.url("/page/1"))","origin":{"file":"\#(notes)","line":2,"column":1,"text":"One"}}"#
      ])
    let jobs = printed.lines.joined(separator: "\n")
    let ended = try await Child(["title", "-"] + loopback, input: .text(jobs)).ended()
    #expect(try ended.rows().map { $0["origin.line"] } == ["2"])
  }

  @Test func `links takes standard input, and says what is wrong`() async throws {
    let ended = try await Child(
      ["links", "--input-format", "html", "-"], input: .text("<a href=https://a.test/>")
    ).ended()
    #expect(ended.lines == ["https://a.test/"])
    let missing = try await Child(["links", folder.path("none.md")]).ended()
    #expect(missing.status == 65)
    let list = try file("list.jsonl", "{\"url\":\"https://a.test/\"}\n{}\n")
    let some = try await Child(["links", list]).ended()
    #expect(some.status == 1)
    #expect(some.lines == ["https://a.test/"])
    #expect(some.messages == "halyard: line 2 has no url\n")
    #expect(try await Child(["links"]).ended().status == 64)
    #expect(try await Child(["links", "-", "-"]).ended().status == 64)
  }
}
