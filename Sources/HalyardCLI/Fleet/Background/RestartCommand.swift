import Assembly
import Posix

/// The command `restart`: ends the fleet of a run directory, and starts it as it was started.
struct RestartCommand {
  private let arguments: ParsedArguments
  private let environment: [String: String]

  init(_ arguments: ParsedArguments, environment: [String: String]) {
    (self.arguments, self.environment) = (arguments, environment)
  }

  func run() async throws -> ExitCode {
    let directory = FleetPlace.directory(of: arguments, environment)
    guard isDirectory(directory), let start = try FleetStart(keptIn: RunDirectory(checking: directory)) else {
      throw FleetRefusal(
        words: "no fleet was started in the background in \(directory)",
        next: "halyard up --detach --run-dir \(ShellWord.quoted(directory))")
    }
    if try RunningFleet.process(in: directory) != nil {
      _ = try await DownCommand(arguments, environment: environment).run()
    }
    try changeDirectory(to: start.workingDirectory)
    guard
      case .run(let up) = try Invocation.parse(
        start.words(in: directory), environment: environment, settings: .usual(environment))
    else { return .bug }
    return try await BackgroundFleet(up, start, environment: environment).run()
  }
}
