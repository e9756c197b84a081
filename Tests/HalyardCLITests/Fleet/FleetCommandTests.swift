import Assembly
import FoundationEssentials
import Pipeline
import PipelineTesting
import Posix
import Roles
import Testing

@testable import HalyardCLI

/// Commands against a fleet in this process.
@Suite(.timeLimit(.minutes(10)))
struct FleetCommandTests {
  private let directory: TemporaryDirectory
  private let pages = ScriptedFetching([
    "http://a.test/": .page("<title>A</title>"), "http://b.test/": .page("<title>B</title>"),
  ])

  init() throws {
    directory = try TemporaryDirectory()
  }

  private var csv: String { directory.file("rows.csv") }

  private func content() throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: csv)), as: UTF8.self)
  }

  private func link(_ arguments: ParsedArguments, to fleet: TestFleet) throws -> FleetLinkPlan {
    _ = try RunKeyFile(of: FleetPlace(fleet.aggregator.text))?.made(fleet.ports.random)
    return try FleetLinkPlan(arguments) { _, _ in fleet.ports.transport }
  }

  /// What the commands say to people is not part of the tests' own output.
  private func run(_ body: @Sendable @escaping (TestFleet) async throws -> Void) async throws {
    try await TestPipeline(.zeroMQ).withFleet(over: pages, body)
  }

  @Test func `results go to a file as often as somebody asks for them`() async throws {
    try await run { [self] fleet async throws -> Void in
      let batch = fleet.newBatch()
      let drafts = ["a", "none", "b"].map { JobDraft(kind: .title, input: "http://\($0).test/") }
      _ = try await fleet.submit(drafts, as: batch)
      for _ in 0..<2 {
        let arguments = try fleetArguments([
          "results", "\(batch)", "--follow", "--ordered", "-o", csv, "--fields", "ordinal,title,error.kind",
          "--fleet", fleet.aggregator.text, "--wait", "90s",
        ])
        let command = try ResultsCommand(arguments, fleet: try link(arguments, to: fleet))
        #expect(try await command.run() == .someFailed)
        #expect(try content() == "ordinal,title,error.kind\n0,A,\n1,,dns\n2,B,\n")
      }
    }
  }

  @Test func `a batch that is not there leaves the file as it was`() async throws {
    try await run { [self] fleet async throws -> Void in
      try Data("mine".utf8).write(to: URL(filePath: csv))
      let batch = fleet.newBatch()
      let arguments = try fleetArguments([
        "results", "\(batch)", "-o", csv, "--fleet", fleet.aggregator.text, "--wait", "90s",
      ])
      let command = try ResultsCommand(arguments, fleet: try link(arguments, to: fleet))
      await #expect(throws: BatchText("\(batch)").unknown) { try await command.run() }
      #expect(try content() == "mine")
    }
  }

  @Test func `a name that is submitted twice is one batch`() async throws {
    try await run { [self] fleet async throws -> Void in
      let list = directory.file("list.txt")
      try Data("http://a.test/\nhttp://b.test/\n".utf8).write(to: URL(filePath: list))
      let arguments = try fleetArguments([
        "submit", "--input", list, "--name", "monday", "--json", "--fleet", fleet.aggregator.text, "--wait",
        "90s",
      ])
      for new in [2, 0] {
        var command = try SubmitCommand(arguments, fleet: try link(arguments, to: fleet))
        let printed = Lock("")
        command.print = { bytes in printed.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
        #expect(try await command.run() == .ok)
        let batch = BatchText.id(named: "monday")
        #expect(
          printed.withLock { $0 } == #"{"batch":"\#(batch)","jobs":2,"new":\#(new),"differing":0}"# + "\n")
      }
      let progress = try await fleet.client().progress(of: BatchText.id(named: "monday"))
      #expect(progress?.total == 2)
    }
  }

  /// Submits a list as `monday`, and tells what the command said.
  private func submit(
    _ list: String, _ words: [String], to fleet: TestFleet
  ) async throws -> (end: Result<ExitCode, any Error>, said: String) {
    let file = directory.file("list.csv")
    try Data(list.utf8).write(to: URL(filePath: file))
    let arguments = try fleetArguments(
      ["submit", "--input", file, "--name", "monday", "--fleet", fleet.aggregator.text, "--wait", "90s"]
        + words)
    var command = try SubmitCommand(arguments, fleet: try link(arguments, to: fleet))
    command.print = { _ in }
    let said = Lock("")
    command.tell = { text in said.withLock { $0 += text } }
    do {
      return (.success(try await command.run()), said.withLock { $0 })
    } catch {
      return (.failure(error), said.withLock { $0 })
    }
  }

  @Test func `an input that fails in the middle leaves a batch of which it is said what becomes`()
    async throws
  {
    try await run { [self] fleet async throws -> Void in
      let list = "link\nhttp://a.test/\nhttp://b.test/\n\"http://c.test/\n"
      let (end, said) = try await submit(list, [], to: fleet)
      #expect(throws: InputError.self) { try end.get() }
      #expect(
        said.hasPrefix(
          "halyard: not all is submitted; 2 jobs confirmed, which go on, and the same command again, with the"
            + " input mended, adds the rest; the batch 'monday' stays open for ten minutes, or what the fleet's"
            + " --abandon-after says\ntry:   "), "\(said)")
      #expect(said.contains(" cancel monday --fleet ") && said.hasSuffix("\n"))
      #expect(try await fleet.client().progress(of: BatchText.id(named: "monday"))?.total == nil)
    }
  }

  @Test func `an interrupted submission says what goes on, and how to go on or end it`() throws {
    let batch = "01890a5d-ac96-774b-bcce-b302099a8057"
    for (words, name, again) in [
      (["--name", "monday"], "monday", "the same command again"),
      (["--batch", batch], batch, "the same command again"),
    ] {
      let arguments = try fleetArguments(["submit", "--input", "list.txt"] + words)
      var command = try SubmitCommand(
        arguments, fleet: try FleetLinkPlan(arguments))
      let said = Lock("")
      command.tell = { text in said.withLock { $0 += text } }
      let end = SubmissionEnd(signal: 2, jobs: 9, confirmed: 1)
      #expect(try command.report(end) { _ in "nowhere" } == .interrupted)
      let text = said.withLock { $0 }
      #expect(
        text.hasPrefix("halyard: interrupted; 1 job confirmed, which go on, and \(again) adds the rest; "))
      #expect(text.contains("stays open for ten minutes") && text.hasSuffix(" cancel \(name)\n"), "\(text)")
      said.withLock { $0 = "" }
      #expect(try command.report(SubmissionEnd(signal: 2, jobs: 9, confirmed: 0)) { _ in "" } == .interrupted)
      #expect(
        said.withLock { $0 }
          == "halyard: interrupted; no job is confirmed, and \(again) submits each of them once\n")
    }
  }

  @Test func `the same list with other options is refused, and it is said what differs`() async throws {
    try await run { [self] fleet async throws -> Void in
      let list = "link\nhttp://a.test/\n"
      #expect(try await submit(list, ["--kind", "title", "--quiet"], to: fleet).said.isEmpty)
      let (end, said) = try await submit(list, ["--kind", "unfurl"], to: fleet)
      #expect(try end.get() == .badInput)
      #expect(
        said
          == "halyard: 1 job is not what the batch 'monday' has in the same place (another link, or other options"
          + " such as --kind), so nothing was changed; the first is line 2 of \(directory.file("list.csv"))\n"
          + "try:   another --name for another list, or for other options\n")
    }
  }

  @Test func `links that are left out get no job, and are counted`() async throws {
    try await run { [self] fleet async throws -> Void in
      let list = directory.file("list.txt")
      try Data("http://a.test/\nA.test\nhttp://b.test/\nhttp://c.test/\n".utf8).write(to: URL(filePath: list))
      let words = [
        "submit", "--input", list, "--name", "monday", "--json", "--fleet", fleet.aggregator.text, "--wait",
        "90s", "--dedupe",
      ]
      let chosen = try fleetArguments(words + ["--exclude", "c[.]test"])
      var command = try SubmitCommand(chosen, fleet: try link(chosen, to: fleet))
      let printed = Lock("")
      command.print = { bytes in printed.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
      #expect(try await command.run() == .ok)
      #expect(
        printed.withLock { $0 }.hasSuffix(#""differing":0,"excluded":1,"duplicates":1,"relative":0}"# + "\n"))
      #expect(try await fleet.client().progress(of: BatchText.id(named: "monday"))?.total == 2)
      let none = try fleetArguments(words + ["--include", "nowhere"])
      let error = await #expect(throws: InputError.self) {
        try await SubmitCommand(none, fleet: try link(none, to: fleet)).run()
      }
      #expect(error?.problem == "no jobs in the input: left out 4 excluded")
    }
  }

  @Test func `a shorter list under a name that is taken is refused`() async throws {
    try await run { [self] fleet async throws -> Void in
      let list = directory.file("list.txt")
      let lists: [(text: String, code: ExitCode)] = [
        ("http://a.test/\n", .ok), ("http://a.test/\nhttp://b.test/\n", .ok), ("http://a.test/\n", .badInput),
      ]
      for (text, code) in lists {
        try Data(text.utf8).write(to: URL(filePath: list))
        let arguments = try fleetArguments([
          "submit", "--input", list, "--name", "monday", "--fleet", fleet.aggregator.text, "--wait", "90s",
        ])
        var command = try SubmitCommand(arguments, fleet: try link(arguments, to: fleet))
        command.print = { _ in }
        #expect(try await command.run() == code)
      }
    }
  }
}
