import Assembly

extension CommandTable {
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
