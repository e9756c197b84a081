extension CommandTable {
  static let up = CommandSpec(
    name: "up",
    summary: "Run a fleet on this machine: an aggregator, fetchers and decoders",
    description: [
      "Starts each worker as a process of its own, and restarts those that die. Ctrl-C or SIGTERM ends the fleet after the"
        + " jobs in progress; a second one ends it at once. Options after '--' go to every worker that has them.",
      "With --detach, runs the fleet in the background, and returns when it answers. Its log is DIR/fleet.log, and 'down'"
        + " ends it.",
      "With --metrics, serves the restarts of its workers at that port, and the aggregator's metrics at the next one.",
    ],
    operands: .workerOptions,
    options: [
      FleetOption.fetchers.spec, FleetOption.decoders.spec, FleetOption.runDirectory.spec,
      FleetOption.listen.spec, FleetOption.ledger.spec, FleetOption.key.spec, FleetOption.alsoKey.spec,
      FleetOption.allowKeys.spec, FleetOption.insecure.spec, FleetOption.metrics.spec,
      FleetOption.detach.spec, FleetOption.check.spec, LinkOption.logFormat.spec, .help,
    ],
    examples: [
      Example(command: "halyard up --fetchers 2 --decoders 2", effect: "five workers"),
      Example(command: "halyard up --detach", effect: "in the background"),
      Example(
        command: "halyard up --ledger jobs.db -- --allow-address 10.0.0.0/8 --per-host 4",
        effect: "with options for its workers"),
    ],
    run: { context in
      let command = try UpCommand(context.arguments, environment: context.environment)
      guard context.arguments[FleetOption.detach], !context.arguments[FleetOption.check] else {
        return try await command.run()
      }
      return try await BackgroundFleet(
        context.arguments, FleetStart(words: context.words, environment: context.environment),
        environment: context.environment
      ).run()
    })
}
