extension CommandTable {
  static let status = CommandSpec(
    name: "status",
    summary: "Show the fleet's status",
    description: [
      "Shows whether a fleet is well, its workers, the number of jobs in each state, and the progress of its newest"
        + " batches. Exits with 0 if it is well, with 1 if it is not."
    ],
    operands: .none,
    options: [FleetOption.json.spec] + FleetOption.link + [FleetOption.reachable.spec, .help],
    examples: [
      Example(command: "halyard status", effect: "for people"),
      Example(command: "halyard status --json", effect: "for programs"),
      Example(command: "halyard status --reachable", effect: "for the probes of a container"),
    ],
    run: {
      let command = StatusCommand($0.arguments, fleet: try $0.fleet(), environment: $0.environment)
      return try await Interruptible.run { try await command.run() }
    })
}
