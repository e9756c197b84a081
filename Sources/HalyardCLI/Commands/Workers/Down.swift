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

  static let restart = CommandSpec(
    name: "restart",
    summary: "End the fleet that runs on this machine, and start it again with the same options",
    description: [
      "Starts it in the background with the options that 'up --detach' had, in the same working directory. For other"
        + " options, use 'down' and 'up --detach'."
    ],
    operands: .none,
    options: [FleetOption.runDirectory.spec, .help],
    examples: [Example(command: "halyard restart", effect: "after an upgrade of halyard, for example")],
    run: { try await RestartCommand($0.arguments, environment: $0.environment).run() })
}
