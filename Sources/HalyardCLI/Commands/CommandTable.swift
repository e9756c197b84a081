/// The version that `--version` and the user agent tell.
let halyardVersion = "0.1.0"

enum CommandTable {
  static let usage = "halyard COMMAND [OPTION…] [ARGUMENT…]"
  static let commands: [CommandSpec] =
    linkCommands + fleetCommands + workerCommands + terminalCommands + [version, help]
  /// A line of JSONL input names one of them as its kind.
  static let jobCommands = [unfurl, title, decode]
  static let linkCommands = jobCommands + [run, explain, links, demo, serve]
  /// Ask a fleet that runs.
  static let fleetCommands = [
    submit, results, watch, status, batches, job, jobs, change, cancel, requeue, pause, resume, drain, ping,
    ledger,
  ]
  static let workerCommands = [up, scale, down, aggregator, fetcher, decoder, keys]
  static let workers = [aggregator, fetcher, decoder]
  /// Their errors go to a log.
  static let longRunning = workers + [up, serve]
  /// For the shell around the program, and for its set-up.
  static let terminalCommands = [doctor, config, completions, man]

  /// Open hardly any files, and report what is wrong where others cannot run.
  static let needFewDescriptors = terminalCommands + [version, help]

  /// Makes a command, and then runs it until it ends or is interrupted.
  static func interruptible(
    _ make: @escaping @Sendable (CommandContext) throws -> @Sendable () async throws -> ExitCode
  ) -> CommandSpec.Run {
    { try await Interruptible.run(make($0)) }
  }

  static func command(named name: String) -> CommandSpec? {
    commands.first { $0.name == name }
  }
}
