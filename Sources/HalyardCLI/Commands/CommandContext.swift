/// What a command runs with.
struct CommandContext: Sendable {
  let arguments: ParsedArguments
  let environment: [String: String]
  /// What stands behind the command's name.
  var words: [String] = []
  /// What a worker process is built with.
  var fittings = WorkerFittings()
  /// Makes the arguments anew, for a SIGHUP.
  var reread: @Sendable () throws -> ParsedArguments? = { nil }

  /// The fleet that the arguments name.
  func fleet() throws -> FleetLinkPlan { try FleetLinkPlan(arguments, environment: environment) }
}
