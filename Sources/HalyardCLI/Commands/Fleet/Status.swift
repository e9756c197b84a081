extension CommandTable {
  static let status = CommandSpec(
    name: "status",
    summary: "Tell how a fleet is",
    description: [
      "Tells whether a fleet is well, who works in it, how many jobs are in which state, and how far its newest"
        + " batches are. Exits with 0 when it is well, with 1 when it is not."
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
