import Assembly

extension CommandTable {
  static let down = CommandSpec(
    name: "down",
    summary: "End the fleet that runs on this machine",
    description: [
      "Finishes the jobs in progress first, for at most 65 seconds. Jobs that no worker has stay in the ledger."
    ],
    operands: .none,
    options: [FleetOption.runDirectory.spec, .help],
    examples: [
      Example(command: "halyard down", effect: "end the fleet of the default run directory"),
      Example(command: "halyard down --run-dir /srv/fleet", effect: "end another one"),
    ],
    run: { try await DownCommand(FleetPlace.directory(of: $0.arguments, $0.environment)).run() })
}
