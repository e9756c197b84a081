import JSONQuery
import PipelineTesting
import Testing

/// `halyard run`: what it prints, keeps and says.
@Suite(.timeLimit(.minutes(10)))
struct RunTests {
  private static let count = 40
  private let folder: Folder

  init() throws {
    folder = try Folder()
  }

  private func start(
    _ site: CallSite, policy: String = "all", _ more: String...
  ) throws -> Child {
    let recipe = try folder.path("calls.json", holding: CallSite.recipe(policy))
    return try Child(
      ["run", recipe, "--per-host", "8", "--retries", "0", "--timeout", "120s"] + site.parameter + loopback
        + more)
  }

  @Test func `what is gathered goes where the output goes, and the row tells of every step`() async throws {
    let site = try CallSite(3)
    let file = try folder.path("gathered.json", holding: "before")
    let kept = try await start(site, "--output", file).ended()
    #expect(kept.status == 0 && kept.output.isEmpty && kept.messages.isEmpty)
    #expect(try folder.content("gathered.json") == "[0,10,20]\n")
    let told = try await start(site, "--row").ended()
    let row = try #require(try told.rows().first)
    #expect(
      row.value.members.map(\.key) == [
        "schema", "id", "batch", "ordinal", "kind", "input", "status", "value", "steps", "attempts", "ms",
      ])
    #expect(row["kind"] == "run" && row["status"] == "ok" && row["value"] == "[0,10,20]")
    #expect(row["steps"] == #"{"list":{"status":"ok"},"calls":{"status":"ok"}}"#)
  }

  @Test func `a list that fails has no call made, and all of it is told`() async throws {
    let site = try CallSite(3) { $0 == nil ? .fail : .answer }
    let file = try folder.path("gathered.json", holding: "before")
    let end = try await start(site, "--output", file).ended()
    #expect(end.status == 1 && end.output.isEmpty)
    #expect(site.asked == ["/list"])
    #expect(try folder.content("gathered.json") == "before")
    let lines = end.messages.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("halyard: list: http_status: fetch http://127.0.0.1:") == true)
    #expect(lines.first?.hasSuffix("/list: the server answered 500") == true, "\(end.messages)")
    #expect(lines.last == "halyard: calls: not done, because list failed")
  }

  @Test func `one failing call under all ends its siblings, and the run`() async throws {
    let site = try CallSite(Self.count) { number in number == nil ? .answer : number == 5 ? .fail : .hold(0) }
    let run = try start(site)
    let end = try await run.ended()
    #expect(end.status == 1 && end.output.isEmpty)
    let lines = end.messages.split(separator: "\n")
    #expect(lines.count == 1 && lines.first?.hasPrefix("halyard: calls: http_status: ") == true)
    #expect(site.asked.contains("/call/5") && site.asked.count <= 1 + 8)
  }

  @Test func `every step that fails is told, and what waits for it`() async throws {
    let site = try CallSite(3) { $0 == nil || $0 == 7 ? .fail : .answer }
    let recipe = try folder.path(
      "mine.json",
      holding: """
        {"parameters": {"base": {"type": "url"}}, "steps": {
          "one": {"call": "{+base}/call/7"}, "two": {"call": "{+base}/list"},
          "three": {"call": "{+base}/call/3", "after": "$two"}, "four": {"call": "{+base}/call/4"}
        }, "output": "$four"}
        """)
    let end = try await Child(["run", recipe, "--retries", "0"] + site.parameter + loopback).ended()
    #expect(end.status == 1 && end.output == "40\n")
    #expect(
      end.messages.split(separator: "\n").map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        == [
          "halyard: one: http_status:", "halyard: two: http_status:", "halyard: three: not",
        ])
  }

  @Test func `one failing call under settled is left out, and told`() async throws {
    let site = try CallSite(Self.count) { $0 == 5 ? .fail : .answer }
    let end = try await start(site, policy: "settled").ended()
    #expect(end.status == 0)
    #expect(end.output == CallSite.gathered((0..<Self.count).filter { $0 != 5 }) + "\n")
    #expect(end.messages.hasPrefix("halyard: calls: left out ordinal 5: "))
    #expect(end.messages.contains("500") && end.messages.split(separator: "\n").count == 1)
    #expect(site.asked.count == 1 + Self.count)
  }

  @Test func `the same with its ledger asks for nothing again`() async throws {
    let site = try CallSite(Self.count)
    let ledger = try folder.path("ledger")
    let note =
      "halyard: this run is over, as its ledger has it: nothing is asked again; another --ledger begins anew\n"
    for messages in ["", note] {
      let end = try await start(site, "--ledger", ledger).ended()
      #expect(end.status == 0 && end.messages == messages)
      #expect(end.output == CallSite.gathered(0..<Self.count) + "\n")
      #expect(site.asked.count == 1 + Self.count)
    }
    let other = try await start(site, "--ledger", ledger, "--param", "most=1").ended()
    #expect(other.status == 0)
    #expect(site.asked.count == 2 * (1 + Self.count), "told something else it is another run")
  }

  @Test func `killed in the middle it goes on, and what was answered is not asked for again`() async throws {
    let site = try CallSite(Self.count) { ($0 ?? 0) < Self.count / 2 ? .answer : .hold(0) }
    let ledger = try folder.path("ledger")
    let first = try start(site, "--ledger", ledger)
    // Its eight places are taken by calls that are held, so all others are answered, and what they led to is written.
    try await first.awaits(site.requests, 1 + Self.count / 2 + 8, "requests")
    first.kill()
    #expect(try await first.ended().status == 128 + 9)
    site.open()
    let end = try await start(site, "--ledger", ledger).ended()
    #expect(end.status == 0, "\(end.messages)")
    #expect(end.output == CallSite.gathered(0..<Self.count) + "\n")
    let asked = site.asked
    let calls = Dictionary(asked.map { ($0, 1) }, uniquingKeysWith: +)
    #expect(calls["/list"] == 1)
    #expect((0..<Self.count / 2).allSatisfy { calls["/call/\($0)"] == 1 })
    #expect(asked.count == 1 + Self.count + 8)
  }

  @Test func `a page of what was gathered is written beside it`() async throws {
    let site = try CallSite(3)
    let page = try folder.path("page.html")
    let end = try await start(site, "--html", page).ended()
    #expect(end.status == 0 && end.output == "[0,10,20]\n")
    let html = try folder.content("page.html")
    #expect(html.hasPrefix("<!doctype html>"))
    #expect(["0", "10", "20"].allSatisfy { html.contains("<b>\($0)</b>") })
  }

  @Test(arguments: [
    (["--param", "bsae=http://a.test"], "did you mean 'base'?"), ([], "no value for 'base'"),
    (["--param", "base"], "'base' is not of the form name=value"),
    (["--param", "base=ftp://a.test"], "http"),
    (["--param", "base=http://a.test", "--param", "most=few"], "most"),
  ])
  func `what the recipe is told is checked before anybody is called`(words: [String], says: String)
    async throws
  {
    let recipe = try folder.path("calls.json", holding: CallSite.recipe())
    let end = try await Child(["run", recipe] + words).ended()
    #expect(end.status == 64 && end.output.isEmpty)
    #expect(end.messages.contains(says), "\(end.messages)")
  }

  @Test(arguments: ["--output", "--html"])
  func `a file that cannot be written is told before anybody is called`(option: String) async throws {
    let site = try CallSite(3)
    let end = try await start(site, option, "\(folder.path("no such folder"))/file").ended()
    #expect(end.status == 65 && end.output.isEmpty)
    #expect(end.messages.contains("no such folder/file"), "\(end.messages)")
    #expect(site.asked.isEmpty)
    #expect(try folder.names() == ["calls.json"])
  }

  @Test func `a deadline is for the whole run`() async throws {
    let site = try CallSite(3) { $0 == nil ? .answer : .hold(0) }
    let end = try await start(site, "--deadline", "500ms").ended()
    #expect(end.status == 1 && end.output.isEmpty)
    #expect(end.messages.hasPrefix("halyard: deadline: ") && end.messages.split(separator: "\n").count == 1)
    #expect(site.asked.count == 1 + 3)
  }
}
