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
    return try FleetLinkPlan(arguments, environment: [:]) { _, _ in fleet.ports.transport }
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
        let command = try ResultsCommand(arguments, fleet: try link(arguments, to: fleet), environment: [:])
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
      let command = try ResultsCommand(arguments, fleet: try link(arguments, to: fleet), environment: [:])
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
        var command = try SubmitCommand(arguments, fleet: try link(arguments, to: fleet), environment: [:])
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

  @Test func `links that are left out get no job, and are counted`() async throws {
    try await run { [self] fleet async throws -> Void in
      let list = directory.file("list.txt")
      try Data("http://a.test/\nA.test\nhttp://b.test/\nhttp://c.test/\n".utf8).write(to: URL(filePath: list))
      let words = [
        "submit", "--input", list, "--name", "monday", "--json", "--fleet", fleet.aggregator.text, "--wait",
        "90s", "--dedupe",
      ]
      let chosen = try fleetArguments(words + ["--exclude", "c[.]test"])
      var command = try SubmitCommand(chosen, fleet: try link(chosen, to: fleet), environment: [:])
      let printed = Lock("")
      command.print = { bytes in printed.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
      #expect(try await command.run() == .ok)
      #expect(
        printed.withLock { $0 }.hasSuffix(#""differing":0,"excluded":1,"duplicates":1,"relative":0}"# + "\n"))
      #expect(try await fleet.client().progress(of: BatchText.id(named: "monday"))?.total == 2)
      let none = try fleetArguments(words + ["--include", "nowhere"])
      let error = await #expect(throws: InputError.self) {
        try await SubmitCommand(none, fleet: try link(none, to: fleet), environment: [:]).run()
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
        var command = try SubmitCommand(arguments, fleet: try link(arguments, to: fleet), environment: [:])
        command.print = { _ in }
        #expect(try await command.run() == code)
      }
    }
  }
}
