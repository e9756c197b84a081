struct CommandContext: Sendable {
  let arguments: ParsedArguments
  let environment: [String: String]
  /// The words after the command's name.
  var words: [String] = []
  /// What a worker process is built with.
  var fittings = WorkerFittings()
  /// Makes the arguments anew, for a SIGHUP.
  var reread: @Sendable () throws -> ParsedArguments? = { nil }

  func fleet() throws -> FleetLinkPlan { try FleetLinkPlan(arguments, environment: environment) }
}
