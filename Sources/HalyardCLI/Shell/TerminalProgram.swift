import Posix

/// Runs the commands that neither fetch nor talk to a fleet.
enum TerminalProgram {
  /// - Returns: nil for the commands of others.
  static func run(
    _ arguments: ParsedArguments, environment: [String: String]
  ) async throws -> ExitCode? {
    switch arguments.command {
    case CommandTable.completions:
      try DescriptorSink().write(Array(try completions(arguments).utf8))
      return .ok
    case CommandTable.man:
      return try ManCommand(arguments, environment: environment).run()
    case CommandTable.config:
      return try ConfigCommand(arguments, environment: environment, settings: .usual(environment)).run()
    case CommandTable.doctor:
      return try await DoctorCommand(arguments, environment: environment).run()
    default: return nil
    }
  }

  private static func completions(_ arguments: ParsedArguments) throws(UsageError) -> String {
    let word = arguments.operands.first ?? ""
    guard let shell = Shell(rawValue: word) else {
      let known = Shell.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("'\(word)' is not one of \(known)", command: arguments.command)
    }
    return shell.completions(of: CommandTable.commands)
  }
}
