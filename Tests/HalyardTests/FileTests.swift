import Foundation
import Testing

/// Input and output files, and what happens to them when something is wrong.
@Suite(.timeLimit(.minutes(10)))
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

  @Test func `a page of previews is written beside the rows`() async throws {
    let (site, folder) = (try TestSite(), try Folder())
    let links = try folder.path("links.txt", holding: "\(site.url("/page/1"))\nnot a link\n")
    let page = try folder.path("previews.html")
    let ended = try await Child(["title", "--input", links, "--html", page] + loopback).ended()
    #expect(ended.status == 1)
    #expect(try ended.rows().count == 2)
    let html = try folder.content("previews.html")
    #expect(html.contains("<b>/page/1</b>"))
    #expect(html.contains("<article class=\"failed\"><p>not a link</p>"))
    #expect(try folder.names() == ["links.txt", "previews.html"])
    let same = try await Child(["title", "--input", links, "--html", links]).ended()
    #expect(same.status == 65 && same.messages.contains("would go into this file too"))
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

  @Test func `a run that is refused leaves the output as it was, and nothing beside it`() async throws {
    let folder = try Folder()
    let rows = try folder.path("rows.jsonl", holding: "kept\n")
    let posts = try folder.path("posts.csv", holding: "url,id\nno link,1\n")
    let ended = try await halyard("title", "--input", posts, "--column", "nope", "-o", rows)
    #expect(ended.status == 65)
    #expect(try folder.content("rows.jsonl") == "kept\n")
    let list = try folder.path("list.txt", holding: "one\ntwo\n")
    let ledger = try folder.path("l.db")
    let words = ["title", "--input", list, "--ledger", ledger, "-o", rows, "--fields", "ordinal"]
    #expect(try await Child(words).ended().status == 1)
    #expect(try folder.content("rows.jsonl").split(separator: "\n").count == 2)
    let before = try folder.content("rows.jsonl")
    _ = try folder.path("list.txt", holding: "one\nother\n")
    #expect(try await Child(words).ended().status == 65)
    #expect(try folder.content("rows.jsonl") == before)
    #expect(try folder.names() == ["l.db", "list.txt", "posts.csv", "rows.jsonl"])
  }

  @Test func `rows that nobody else has outlive an input that breaks off`() async throws {
    let folder = try Folder()
    let rows = try folder.path("rows.jsonl", holding: "kept\n")
    let posts = try folder.path("posts.csv", holding: "url\nno link\n\"never closed\n")
    let ended = try await halyard("title", "--input", posts, "-o", rows, "--fields", "ordinal")
    #expect(ended.status == 65)
    #expect(ended.messages.contains("halyard: the rows so far are in "))
    #expect(try folder.content("rows.jsonl") == "kept\n")
    #expect(try folder.content("rows.jsonl.part") == "{\"ordinal\":0}\n")
  }

  @Test func `an interrupted run puts its rows where they belong`() async throws {
    let (site, folder) = (try TestSite(), try Folder())
    let rows = try folder.path("rows.jsonl", holding: "old\n")
    let child = try Child(
      ["title", site.url("/held/1"), "-o", rows, "--fields", "ordinal", "--timeout", "120s"] + loopback)
    try await child.awaits(site.requests, 1, "requests")
    #expect(try folder.names() == ["rows.jsonl", "rows.jsonl.part"])
    let second = try await halyard("title", "no link", "-o", rows)
    #expect(second.status == 65)
    #expect(second.messages.hasSuffix("rows.jsonl.part: another command writes its rows there\n"))
    child.interrupt()
    child.interrupt()
    #expect(try await child.ended().status == 130)
    #expect(try folder.names() == ["rows.jsonl"])
    #expect(try folder.content("rows.jsonl") == "{\"ordinal\":0}\n")
  }

  @Test func `a file keeps its mode, a symbolic link and a second name lead where they led`() async throws {
    let folder = try Folder()
    let rows = try folder.path("rows.jsonl", holding: "old\n")
    let link = try folder.path("link")
    let twin = try folder.path("twin")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: rows)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: rows)
    #expect(try await halyard("title", "no link", "-o", link, "--fields", "ordinal").status == 1)
    #expect(try folder.content("rows.jsonl") == "{\"ordinal\":0}\n")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == rows)
    let mode = try FileManager.default.attributesOfItem(atPath: rows)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    try FileManager.default.linkItem(atPath: rows, toPath: twin)
    #expect(try await halyard("title", "a", "b", "-o", rows, "--fields", "ordinal").status == 1)
    #expect(try folder.content("twin").split(separator: "\n").count == 2)
    #expect(try folder.names() == ["link", "rows.jsonl", "twin"])
  }

  @Test func `links do not come from the file that rows pass through`() async throws {
    let folder = try Folder()
    let links = try folder.path("rows.part", holding: "no link\n")
    let rows = try folder.path("rows")
    #expect(try await halyard("title", "--input", links, "-o", rows).status == 65)
    #expect(try folder.content("rows.part") == "no link\n")
    #expect(try await halyard("title", "no link", "--ledger", links, "-o", rows).status == 64)
  }

  @Test func `devices are written as they are`() async throws {
    let ended = try await halyard("title", "no link", "-o", "/dev/stdout", "--fields", "ordinal")
    #expect(ended.status == 1 && ended.output == "{\"ordinal\":0}\n")
    let full = try await halyard("title", "no link", "-o", "/dev/full")
    #expect(full.status == 65)
    #expect(full.messages == "halyard: /dev/full: write: No space left on device\n")
  }
}
