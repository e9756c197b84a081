import Foundation
import PipelineTesting
import SQLite
import Testing

/// `--cache`: links that were asked before are not fetched again.
@Suite(.timeLimit(.minutes(10)))
struct CacheTests {
  private let site: TestSite
  private let directory: TemporaryDirectory

  init() throws {
    site = try TestSite()
    directory = try TemporaryDirectory()
  }

  private var cache: [String] { ["--cache", "1h", "--cache-file", directory.file("results.db")] }

  private func run(_ arguments: [String]) async throws -> [Row] {
    let ended = try await Child(arguments + loopback).ended()
    #expect(ended.messages == "")
    return try ended.rows()
  }

  @Test func `a second run fetches nothing, and tells how old its rows are`() async throws {
    let links = (0..<20).map { site.url("/page/\($0)") }
    let first = try await run(["title", "--ordered"] + links + cache)
    #expect(first.allSatisfy { $0["cached"] == nil })
    let second = try await run(["title", "--ordered"] + links + cache)
    #expect(site.requests.count == 20)
    #expect(second.allSatisfy { $0["cached"] == "true" && Int($0["age"] ?? "") != nil })
    #expect(second.map { $0["title"] } == first.map { $0["title"] })
    #expect(second.map { $0["fetched_at"] } == first.map { $0["fetched_at"] })
    #expect(first.allSatisfy { $0["fetched_at"]?.count == 24 })
    #expect(try await run(["title", links[0]]).first?["cached"] == nil)
    #expect(site.requests.count == 21)
  }

  @Test func `two runs at once share the file`() async throws {
    let links = (0..<200).map { site.url("/page/\($0)") }
    async let one = run(["title"] + links[..<150] + cache)
    async let other = run(["title"] + links[50...] + cache)
    #expect(try await one.count + other.count == 300)
    let before = site.requests.count
    #expect(try await run(["title"] + links + cache).count { $0["cached"] == "true" } == 200)
    #expect(site.requests.count == before)
  }

  @Test func `without a file it is the user's cache, which nobody else can read`() async throws {
    for cached in [nil, "true"] {
      let ended = try await Child(
        ["title", site.url("/page/1"), "--cache", "1h"] + loopback,
        environment: ["XDG_CACHE_HOME": directory.file("caches")]
      ).ended()
      #expect(try ended.rows().map { $0["cached"] } == [cached])
    }
    #expect(site.requests.count == 1)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: directory.file("caches/halyard/results.db"))
    #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o777 } == 0o600)
  }

  @Test func `with a ledger the answers are in the ledger, for other runs too`() async throws {
    let ledger = ["--ledger", directory.file("jobs.ledger"), "--cache", "1h"]
    _ = try await run(["title", site.url("/page/1")] + ledger)
    let rows = try await run(["title", site.url("/page/1"), site.url("/page/2"), "--ordered"] + ledger)
    #expect(rows.map { $0["cached"] } == ["true", nil])
    #expect(site.requests.count == 2)
  }

  @Test func `other limits are another question, other timeout is not`() async throws {
    let link = site.url("/hops/1")
    _ = try await run(["title", link] + cache)
    #expect(try await run(["title", link, "--max-hops", "3"] + cache).first?["cached"] == nil)
    #expect(try await run(["title", link, "--timeout", "9s"] + cache).first?["cached"] == "true")
    #expect(try await run(["unfurl", link] + cache).first?["cached"] == nil)
  }

  @Test func `an answer that is too old is renewed when the page has not changed`() async throws {
    let link = site.url("/tagged/1")
    let short = ["--cache", "1ms", "--cache-file", directory.file("results.db")]
    _ = try await run(["title", link] + short)
    let rows = try await run(["title", link] + short)
    #expect(site.requests.count == 2)
    #expect(rows.map { $0["revalidated"] } == ["true"])
    #expect(rows.map { $0["title"] } == ["/tagged/1"])
  }

  @Test(arguments: [
    (["--cache-failures", "1m"], "nothing is kept without --cache TIME"),
    (["--cache-file", "x"], "nothing is kept without --cache TIME"),
    (["--cache", "0", "--cache-file", "x"], "nothing is kept without --cache TIME"),
    (["--cache", "1h", "--header", "A: b"], "what --header brings is for one user alone, and is not kept"),
    (["--cache", "1h", "--cookie", "a=b"], "what --cookie brings is for one user alone, and is not kept"),
    (["--cache", "31w"], "is not a time such as"), (["--cache", "800h"], "is not between 0 and 720h"),
  ])
  func `what makes no sense is refused`(options: [String], problem: String) async throws {
    let ended = try await Child(["title", site.url("/page/1")] + options + loopback).ended()
    #expect(ended.status == 64)
    #expect(ended.messages.contains(problem), "\(ended.messages)")
  }

  @Test func `a user's own cache that cannot be used is told, and done without`() async throws {
    let folder = directory.file("caches/halyard")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let file = "\(folder)/results.db"
    let content = Data("no database, but long enough to look like one".utf8)
    try content.write(to: URL(fileURLWithPath: file))
    let ended = try await Child(
      ["title", site.url("/page/1"), "--cache", "1h"] + loopback,
      environment: ["XDG_CACHE_HOME": directory.file("caches")]
    ).ended()
    #expect(ended.status == 0)
    #expect(try ended.rows().map { $0["title"] } == ["/page/1"])
    #expect(ended.messages.hasPrefix("halyard: open cache \(file): this is not a cache: "))
    #expect(
      ended.messages.hasSuffix(
        "\nhalyard: this run goes on without it; move the file away, or use --cache-file\n"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == content)
  }

  @Test func `a user's own cache that others could change is told, and done without`() async throws {
    let caches = directory.file("caches")
    try FileManager.default.createDirectory(atPath: caches, withIntermediateDirectories: false)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: caches)
    let ended = try await Child(
      ["title", site.url("/page/1"), "--cache", "1h"] + loopback, environment: ["XDG_CACHE_HOME": caches]
    ).ended()
    #expect(ended.status == 0)
    #expect(try ended.rows().map { $0["title"] } == ["/page/1"])
    #expect(
      ended.messages
        == "halyard: \(caches) can be changed by other users (mode 0777); run chmod go-w on it, or choose another place\nhalyard: this run goes on without a cache; or use --cache-file\n"
    )
    #expect(!FileManager.default.fileExists(atPath: "\(caches)/halyard"))
  }

  @Test func `a file that another program has locked costs a warning and no more`() async throws {
    _ = try await run(["title", site.url("/page/1")] + cache)
    let other = try Connection(path: directory.file("results.db"))
    let child = try Child(["title", "-"] + cache + loopback, input: .open("\(site.url("/page/1"))\n"))
    try await child.hasWritten(lines: 1)
    try other.execute("BEGIN EXCLUSIVE")
    try child.send((2...40).map { "\(site.url("/page/\($0)"))\n" }.joined())
    try await child.hasWritten(lines: 40)
    child.closeInput()
    let ended = try await child.ended()
    #expect(ended.status == 0)
    #expect(try ended.rows().allSatisfy { $0.outcome == "ok" })
    let words = ended.messages.split(separator: "\n")
    #expect(words.first?.hasSuffix(": another program has it locked; end that, or name another file") == true)
    #expect(words.last == "halyard: not all findings of this run are kept")
    #expect(words.count == 2, "\(ended.messages)")
    try other.execute("COMMIT")
  }

  @Test func `a cache that cannot be used is told before anything is fetched`() async throws {
    let file = directory.file("results.db")
    try Data("no database, but long enough to look like one".utf8).write(to: URL(fileURLWithPath: file))
    let ended = try await Child(["title", site.url("/page/1")] + cache + loopback).ended()
    #expect(ended.status == 69)
    #expect(ended.messages.hasPrefix("halyard: open cache \(file): this is not a cache: "))
    #expect(site.requests.count == 0)
  }
}
