extension CommandTable {
  static let drain = CommandSpec(
    name: "drain",
    summary: "Let a worker finish its jobs and end",
    description: [
      "Gives a fetcher or decoder no more jobs. It finishes those that it has, and ends; 'up' and systemd do not start it"
        + " again. WORKER is its id as 'halyard status' shows it, or the beginning or end of one.",
      "Returns when the worker has confirmed it, before it has finished. Workers that are too old to know the order are"
        + " refused: end them with SIGTERM, which does the same.",
    ],
    operands: .worker,
    options: [FleetOption.json.spec] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard drain 019a3c7e", effect: "the one worker whose id begins or ends like this")
    ],
    run: {
      let command = try DrainCommand($0.arguments, fleet: $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
