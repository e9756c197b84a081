import Testing

@testable import HalyardCLI

/// Each command runs once with each value of each of its options that have a closed list, because optimised builds can
/// crash where debug builds do not. Commands and options are those of the program's own table.
@Suite(.timeLimit(.minutes(10)))
struct EveryChoiceTests {
  struct Choice: CustomTestStringConvertible, Sendable {
    var command: CommandSpec
    var words: [String]

    var testDescription: String { ([command.name] + words).joined(separator: " ") }
  }

  static let choices = CommandTable.commands.flatMap { command in
    command.options.flatMap { option in
      option.kind.words.map { Choice(command: command, words: [option.flag, $0]) }
    }
  }

  @Test(arguments: choices)
  func `no choice crashes a command`(choice: Choice) async throws {
    let folder = try Folder()
    let words = [choice.command.name] + choice.words + (try await Self.words(for: choice.command, in: folder))
    let ended = try await Child(words).ended()
    #expect(ended.status < 128 && ended.status != ExitCode.bug.rawValue, "\(ended.messages)")
    #expect(ended.status != ExitCode.usage.rawValue, "it did not run: \(ended.messages)")
  }

  /// What a command needs to get to work, and to come to an end.
  private static func words(for command: CommandSpec, in folder: Folder) async throws -> [String] {
    let run = try folder.path("run")
    var options = [
      "--run-dir": [run], "--wait": ["100ms"], "--until-input-ends": [], "--http": ["127.0.0.1:0"],
    ]
    if command.name == CommandTable.up.name { options["--check"] = [] }
    if command.name == CommandTable.change.name { options["--at-most"] = ["1"] }
    if command.name == CommandTable.keys.name {
      let fleet = try folder.path("keys")
      _ = try await Child(["keys", "-o", fleet]).ended()
      options["--fleet-of"] = [fleet]
      options["--output"] = [try folder.path("member.key")]
    }
    // With one, the commands for links would ask it, too.
    if CommandTable.fleetCommands.contains(where: { $0.name == command.name }) { options["--fleet"] = [run] }
    let known = command.options.compactMap { option in options[option.flag].map { [option.flag] + $0 } }
    return try known.flatMap { $0 } + operands(of: command, in: folder)
  }

  private static func operands(of command: CommandSpec, in folder: Folder) throws -> [String] {
    switch command.operands {
    case .none, .command, .workerOptions: []
    case .links: ["--input", try folder.path("links.txt", holding: "http://127.0.0.1:1/\n")]
    case .files: [try folder.path("links.md", holding: "<http://127.0.0.1:1/>")]
    case .batch, .optionalBatch: ["night"]
    case .link, .job: ["http://127.0.0.1:1/"]
    case .worker: ["00000000-0000-4000-8000-000000000000"]
    case .scale: ["fetchers", "1"]
    case .recipe: ["users", "--param", "base=http://127.0.0.1:1"]
    case .shell: ["bash"]
    case .directory: [try folder.path("made")]
    case .ledgerVerb: ["prune", "--batch", "night"]
    default: try #require(nil as [String]?, "'\(command.usage)' needs operands here")
    }
  }
}
