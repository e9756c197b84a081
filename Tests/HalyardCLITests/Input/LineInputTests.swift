import Pipeline
import Roles
import Testing

@testable import HalyardCLI

@Suite struct LineInputTests {
  @Test func `a line is a link, and blank lines and comments are skipped`() {
    let yield = read("https://a.test/\r\n\n \t\n  https://b.test/x y \n # a comment\nlast#one")
    #expect(yield.urls == ["https://a.test/", "https://b.test/x y", "last#one"])
    #expect(yield.jobs.map(\.line) == [1, 4, 6])
    #expect(yield.problems == [nil, nil, nil])
    #expect(yield.fault == nil)
  }

  @Test func `an input without lines has no jobs`() {
    #expect(read("") == Yield())
    #expect(read("\n\r\n  \n") == Yield())
  }

  @Test func `a byte order mark is not part of the first link`() {
    #expect(read("\u{FEFF}https://a.test/\n").urls == ["https://a.test/"])
  }

  @Test(arguments: [
    "<https://a.test/>", " < https://a.test/ > ", "\u{A0}https://a.test/\u{A0}\u{A0}",
    "\u{200B}<\u{FEFF}https://a.test/\u{2060}>\u{202F}\u{3000}",
  ])
  func `what comes along when a link is copied is no part of it`(line: String) {
    #expect(read("\(line)\n").urls == ["https://a.test/"])
    #expect(read("{\"url\":\"\(line)\"}\n").urls == ["https://a.test/"])
    #expect(read("id,url\n1,\(line)\n", as: .csv).urls == ["https://a.test/"])
  }

  @Test(arguments: ["<>", "<", "\u{A0}", "\u{C2}", "<\u{A0}>"])
  func `a line of nothing but brackets is no trap`(line: String) {
    #expect(read("\(line)\nlast").urls.last == "last")
  }

  @Test func `a line that is not UTF-8 fails alone where others are`() {
    let yield = read([
      Array("https://a.test/é\nhttps://a.test/".utf8) + [0xE9, 0x0A] + Array("https://b.test/\n".utf8)
    ])
    #expect(yield.urls == ["https://a.test/é", "https://a.test/\u{FFFD}", "https://b.test/"])
    #expect(yield.problems == [nil, "line 2 is not UTF-8", nil])
    #expect(yield.jobs[1].refusal?.kind == .invalidInput)
  }

  @Test(arguments: [65_535, 65_536, 65_537, 70_000, 1_000_000])
  func `a line may have 64 KiB, and a longer one fails alone`(length: Int) {
    let long = "https://a.test/" + String(repeating: "x", count: length - 15)
    let bytes = Array("\(long)\nhttps://b.test/\n".utf8)
    let pieces = stride(from: 0, to: bytes.count, by: 65_536).map {
      Array(bytes[$0..<min($0 + 65_536, bytes.count)])
    }
    for yield in [read([bytes]), read(pieces)] {
      #expect(yield.urls.count == 2)
      #expect(yield.urls.last == "https://b.test/")
      if length <= 65_536 {
        #expect(yield.urls.first == long)
        #expect(yield.problems == [nil, nil])
      } else {
        #expect(yield.urls.first == String(long.prefix(200)) + "…")
        #expect(yield.problems == ["line 1 is longer than 64KiB", nil])
      }
    }
  }

  @Test func `a burst ends early rather than wait for a slow source`() throws {
    let pieces = ["https://a.test/\nhttps://b.test/\nhttps", "://c.test/\n", "https://d.test/\n"]
    let plan = InputPlan([.standardInput])
    var source = JobSource(plan, of: [ScriptedSource(pieces.map { Array($0.utf8) })])
    #expect(try source.nextBurst(limit: 10).map(\.input) == ["https://a.test/", "https://b.test/"])
    #expect(try source.nextBurst(limit: 10).map(\.input) == ["https://c.test/"])
    #expect(try source.nextBurst(limit: 10).map(\.input) == ["https://d.test/"])
    #expect(try source.nextBurst(limit: 10).isEmpty)
    #expect(try source.nextBurst(limit: 10).isEmpty)
  }

  @Test func `complete lines before a fault are delivered, and the fault stays`() throws {
    let fault = InputError("links", "read: Input/output error")
    let pieces = [Array("https://a.test/\nhttps://b".utf8)]
    #expect(
      read(pieces, fault: fault)
        == Yield(
          jobs: [placed(JobDraft(kind: .title, input: "https://a.test/"), on: 1)], fault: fault))

    let plan = InputPlan([.file("links")])
    var source = JobSource(plan, of: [ScriptedSource(pieces, fault: fault)])
    _ = try source.nextBurst(limit: 10)
    #expect(throws: fault) { try source.nextBurst(limit: 10) }
    #expect(throws: fault) { try source.nextBurst(limit: 10) }
  }

  @Test func `arguments are jobs like lines`() throws {
    let links = [" https://a.test/ ", "", "x"]
    let plan = InputPlan([.arguments(links)])
    var source = try plan.open()
    let drafts = try source.nextBurst(limit: 10)
    #expect(drafts.map(\.input) == ["https://a.test/", nil, "x"])
    #expect(drafts[1].refusal == Failure(.missingInput, at: .input, "argument 2 has no link"))
    #expect(try source.nextBurst(limit: 10).isEmpty)
  }
}
