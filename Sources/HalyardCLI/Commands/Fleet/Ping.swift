extension CommandTable {
  static let ping = CommandSpec(
    name: "ping",
    summary: "Send an echo through every role of a fleet",
    description: [
      "Sends a job that touches nothing outside through aggregator, fetcher and decoder, and tells how long each"
        + " part of the way took, by the clocks of their machines."
    ],
    operands: .none,
    options: [FleetOption.count.spec, FleetOption.json.spec] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard ping", effect: "check that the fleet answers"),
      Example(command: "halyard ping --count 10 --json", effect: "ten times, for programs"),
    ],
    run: {
      let command = PingCommand($0.arguments, fleet: try $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
