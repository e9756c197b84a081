import Pipeline
import Posix
import Roles

/// The whole command line tool.
public enum Program {
  /// Runs the words behind the program's name.
  ///
  /// - Returns: The exit status.
  public static func run(_ words: [String]) async -> Int32 {
    await run(words, WorkerFittings())
  }

  /// - Parameter fittings: What a worker process is built with.
  package static func run(_ words: [String], _ fittings: WorkerFittings) async -> Int32 {
    holdStandardStreams()
    ignoreBrokenPipes()
    returnLargeBlocks()
    let environment = environmentVariables()
    if let command = words.first, let format = LogFormat.early(words, environment) {
      Console.standardError.speak(as: format, role: command)
    }
    do {
      return try await run(words, environment: environment, fittings).rawValue
    } catch {
      return report(error).rawValue
    }
  }

  private static func run(
    _ words: [String], environment: [String: String], _ fittings: WorkerFittings
  ) async throws -> ExitCode {
    switch try Invocation.parse(words, environment: environment, settings: .defaultFiles(environment)) {
    case .show(let text): return try show(text)
    case .run(let arguments):
      try DescriptorRoom.check(for: arguments.command)
      warn(arguments)
      return try await arguments.command.run(CommandContext(arguments: arguments, fittings: fittings))
    }
  }

  /// 'up' says it for its workers.
  private static func warn(_ arguments: ParsedArguments) {
    guard !arguments[FleetOption.untilInputEnds] else { return }
    let format = LogPlan(arguments).format
    for warning in UnknownVariables.warnings(arguments.environment) {
      let event = LogEvent(.warning, message: warning, role: arguments.command.name)
      Console.standardError.write(format == .text ? Printable.lines(warning) : event.line(as: format))
    }
  }

  static func report(_ error: any Error) -> ExitCode {
    switch error {
    case let error as any ReportedError:
      Console.standardError.show(error.rendered, at: .error)
      return error.exitCode
    case let error as PosixError where error.isBrokenPipe: return .brokenPipe
    case let error as PosixError:
      Console.standardError.show("halyard: \(error.message)\n", at: .error)
      return .bug
    default:
      Console.standardError.show(
        "halyard: \(error); this is a fault of halyard, please report it\n", at: .error)
      return .bug
    }
  }
}
