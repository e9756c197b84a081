extension CommandTable {
  static let up = CommandSpec(
    name: "up",
    summary: "Run a fleet on this machine: an aggregator, fetchers and decoders",
    description: [
      "Starts each worker as a process of its own and starts again what dies. Ctrl-C and SIGTERM end the fleet: what is"
        + " under way is finished first; a second one ends it at once. What stands behind '--' goes to every worker"
        + " that has such an option.",
      "scripts/fleet start does the same in the background.",
    ],
    operands: .workerOptions,
    options: [
      FleetOption.fetchers.spec, FleetOption.decoders.spec, FleetOption.runDirectory.spec,
      FleetOption.listen.spec, FleetOption.ledger.spec, FleetOption.key.spec, FleetOption.allowKeys.spec,
      FleetOption.insecure.spec, FleetOption.check.spec, LinkOption.logFormat.spec, .help,
    ],
    examples: [
      Example(command: "halyard up --fetchers 2 --decoders 2", effect: "five processes"),
      Example(
        command: "halyard up --ledger jobs.db -- --allow-address 10.0.0.0/8 --per-host 4",
        effect: "with options for its workers"),
    ],
    run: { try await UpCommand($0.arguments, environment: $0.environment).run() })
}
