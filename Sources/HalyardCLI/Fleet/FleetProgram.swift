import Pipeline

/// Runs the commands without links of their own.
enum FleetProgram {
  /// - Parameter reread: Makes the arguments of a worker anew, for a SIGHUP.
  static func run(
    _ arguments: ParsedArguments, environment: [String: String],
    _ fittings: WorkerFittings = WorkerFittings(),
    reread: @escaping @Sendable () throws -> ParsedArguments? = { nil }
  ) async throws -> ExitCode {
    func work(_ role: Role) async throws -> ExitCode {
      try await WorkerCommand(arguments, role: role, environment: environment, fittings, reread: reread).run()
    }
    return switch arguments.command {
    case CommandTable.demo: try await DemoCommand(arguments, environment: environment).run()
    case CommandTable.run: try await RecipeCommand(arguments, environment: environment).run()
    case CommandTable.explain: try await ExplainCommand(arguments).run()
    case CommandTable.version: try showVersion(arguments)
    case CommandTable.keys: try KeysCommand(arguments).run()
    case CommandTable.up: try await UpCommand(arguments, environment: environment).run()
    case CommandTable.aggregator: try await work(.aggregator)
    case CommandTable.fetcher: try await work(.fetcher)
    case CommandTable.decoder: try await work(.decoder)
    default: try await talk(arguments, environment)
    }
  }

  private static func showVersion(_ arguments: ParsedArguments) throws -> ExitCode {
    let report = VersionReport.own
    let printsJSON = arguments[FleetOption.json]
    try DescriptorSink(printsJSON ? .json : .text).write(printsJSON ? report.json : Array(report.text.utf8))
    return .ok
  }

  private static func talk(
    _ arguments: ParsedArguments, _ environment: [String: String]
  ) async throws -> ExitCode {
    let fleet = try FleetLinkPlan(arguments, environment: environment)
    return try await talk(arguments, over: fleet, environment)
  }

  /// The commands that talk to a fleet, whatever its lanes are made of.
  static func talk(
    _ arguments: ParsedArguments, over fleet: FleetLinkPlan, _ environment: [String: String]
  ) async throws -> ExitCode {
    switch arguments.command {
    case CommandTable.submit:
      // It has its own way to end early.
      return try await SubmitCommand(arguments, fleet: fleet, environment: environment).run()
    case CommandTable.results:
      let command = try ResultsCommand(arguments, fleet: fleet, environment: environment)
      return try await Interruptible.run { try await command.run() }
    case CommandTable.watch where !arguments.operands.isEmpty:
      guard let batch = BatchText(arguments) else { return .bug }
      let command = WatchCommand(arguments, of: batch, fleet: fleet)
      return try await Interruptible.run { try await command.run() }
    case CommandTable.watch, CommandTable.status:
      let command = StatusCommand(arguments, fleet: fleet, environment: environment)
      return try await Interruptible.run { try await command.run() }
    case CommandTable.cancel, CommandTable.requeue:
      let command = try BatchCommand(arguments, fleet: fleet)
      return try await Interruptible.run { try await command.run() }
    default:
      let command = PingCommand(arguments, fleet: fleet)
      return try await Interruptible.run { try await command.run() }
    }
  }
}
