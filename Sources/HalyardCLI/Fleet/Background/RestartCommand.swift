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
      let there = "--run-dir \(ShellWord.quoted(directory))"
      guard isDirectory(directory), let process = try RunningFleet.process(in: directory) else {
        throw FleetRefusal(
          words: "no fleet was started in the background in \(directory)",
          next: "halyard up --detach \(there)")
      }
      throw FleetRefusal(
        words: "the fleet in \(directory) runs in the foreground, as process \(process)",
        next: "halyard down \(there) && halyard up --detach \(there)")
    }
    // Whatever is wrong with its options is found before the fleet ends.
    try changeDirectory(to: start.workingDirectory)
    let former = start.environment(in: environment)
    guard
      case .run(let up) = try Invocation.parse(
        start.words(in: directory), environment: former, settings: .defaultFiles(former))
    else { return .bug }
    _ = try UpCommand(up, environment: former)
    if try RunningFleet.process(in: directory) != nil || !RunningFleet.workers(in: directory).isEmpty {
      let code = try await DownCommand(directory).run()
      guard code == .ok else { return code }
    }
    let code = try await BackgroundFleet(up, start, environment: former).run()
    // One that did not start has forgotten how it was to be started.
    if code != .ok { try start.keep(in: RunDirectory(checking: directory)) }
    return code
  }
}
