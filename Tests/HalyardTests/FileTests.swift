import Testing

/// Input and output files, and what happens to them when something is wrong.
@Suite(.timeLimit(.minutes(1)))
struct FileTests {
  @Test func `a file of links becomes a file of rows`() async throws {
    let (site, folder) = (try TestSite(), try Folder())
    let links = try folder.path("links.txt", holding: "\(site.url("/page/1"))\n\(site.url("/page/2"))\n")
    let rows = try folder.path("rows.csv")
    let ended = try await Child(["title", "--input", links, "-o", rows, "--ordered"] + loopback).ended()
    #expect(ended.status == 0)
    #expect(ended.output.isEmpty)
    let lines = try folder.content("rows.csv").split(separator: "\n")
    #expect(lines.first == "input,status,url,http_status,title,error.kind")
    #expect(lines.dropFirst().map { $0.split(separator: ",")[4] } == ["/page/1", "/page/2"])
  }

  @Test(arguments: ["-o FILE", ">> FILE", "< FILE -o FILE"])
  func `rows never go into the file they come from`(words: String) async throws {
    let folder = try Folder()
    let links = try folder.path("links.txt", holding: "not a link\n")
    let words = words.replacing("FILE", with: "'\(links)'")
    let options = words.hasPrefix("<") ? [] : ["--input", links]
    let ended = try await Child(["title"] + options, redirection: .init(words: words)).ended()
    #expect(ended.status == 65)
    #expect(ended.messages.hasSuffix(": the rows would go into this file too; give them another one\n"))
    #expect(try folder.content("links.txt") == "not a link\n")
  }

  @Test func `an input that is not there leaves the output as it was`() async throws {
    let folder = try Folder()
    let rows = try folder.path("rows.jsonl", holding: "kept\n")
    let ended = try await halyard("title", "--input", "no/such/file", "-o", rows)
    #expect(ended.status == 65)
    #expect(try folder.content("rows.jsonl") == "kept\n")
  }
}
