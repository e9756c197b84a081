import Posix
import Recipes

enum Invocation: Sendable {
  /// Text for standard output, and exit 0: help, or the version.
  case show(String)
  case run(ParsedArguments)

  /// Reads the words behind the program's name.
  static func parse(
    _ words: [String], environment: [String: String], settings: SettingsSource = .none
  ) throws(UsageError) -> Invocation {
    guard let first = words.first else { throw UsageError(rendered: HelpPage.short) }
    switch first {
    case "--help", "-h": return .show(HelpPage.main)
    case "--version" where words.dropFirst().first == "--verbose":
      return try parse(["version"] + words.dropFirst(2), environment: environment, settings: settings)
    case "--version": return .show("halyard \(halyardVersion)\n")
    case "--complete": return .show(Offers(behind: Array(words.dropFirst())).text)
    default: break
    }
    guard !first.hasPrefix("-") else { throw unknownOption(first) }
    let command = try command(named: first, words: words)
    let arguments = try ArgumentParser.parse(
      words.dropFirst(), for: command, environment: environment, settings: settings)
    return arguments.map { .run($0) } ?? .show(HelpPage(command).rendered)
  }

  /// What a command runs with; nil for words that only show something.
  static func arguments(_ words: [String], _ environment: [String: String]) throws(UsageError)
    -> ParsedArguments?
  {
    let invocation = try parse(words, environment: environment, settings: .defaultFiles(environment))
    return if case .run(let arguments) = invocation { arguments } else { nil }
  }

  static func command(named name: String, words: [String]) throws(UsageError) -> CommandSpec {
    if let command = CommandTable.command(named: name) { return command }
    let problem = "unknown command '\(name)'"
    if name.contains("://") {
      let next = (["halyard", "title"] + words.map(ShellWord.quoted)).joined(separator: " ")
      throw UsageError(problem, usage: CommandTable.usage, next: next)
    }
    guard let meant = Suggestion.closest(to: name, among: CommandTable.commands.map(\.name)) else {
      throw UsageError(problem, usage: CommandTable.usage, next: "halyard --help")
    }
    throw UsageError(
      "\(problem) — did you mean '\(meant)'?", usage: CommandTable.usage, next: "halyard \(meant) --help")
  }

  private static func unknownOption(_ word: String) -> UsageError {
    let options = CommandTable.commands.flatMap(\.options)
    let name = word.prefix { $0 != "=" }
    guard options.contains(where: { $0.flag == name || $0.short.map { "-\($0)" } == String(name) }) else {
      let meant = Suggestion.closest(to: String(name), among: ["--help", "--version"])
      let hint = meant.map { " — did you mean '\($0)'?" } ?? ""
      return UsageError("unknown option '\(name)'\(hint)", usage: CommandTable.usage, next: "halyard --help")
    }
    return UsageError(
      "option '\(name)' stands before the command", usage: CommandTable.usage, next: "halyard --help")
  }
}

extension ParsedArguments {
  /// The same, read again from all that they come from; nil when the words only show something.
  func reread() throws(UsageError) -> ParsedArguments? {
    try Invocation.arguments([command.name] + words, environment)
  }
}

struct CommandContext: Sendable {
  let arguments: ParsedArguments
  /// What a worker process is built with.
  var fittings = WorkerFittings()
}

extension Program {
  /// The words that this process was started with, its own name first.
  ///
  /// The standard library looks for them next to the environment, and finds none where a preloaded library has moved that.
  public static let commandLine: [String] = {
    let words = CommandLine.arguments
    guard words.isEmpty, let bytes = try? Descriptor.reading(path: "/proc/self/cmdline").readAll() else {
      return words
    }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }()
}
