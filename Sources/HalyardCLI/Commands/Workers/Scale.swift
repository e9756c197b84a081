extension CommandTable {
  static let scale = CommandSpec(
    name: "scale",
    summary: "Change the number of workers of the fleet that runs on this machine",
    description: [
      "Tells the 'up' of the run directory to run N fetchers or N decoders from now on. Workers that are too many finish"
        + " their jobs and end; the newest end first. After a restart of 'up', its options count again."
    ],
    operands: .scale,
    options: [FleetOption.runDirectory.spec, FleetOption.wait.spec, FleetOption.json.spec, .help],
    examples: [
      Example(command: "halyard scale fetchers 4", effect: "start or end fetchers until there are four"),
      Example(command: "halyard scale decoders 2 --run-dir /srv/fleet", effect: "in another fleet"),
    ],
    run: {
      let command = try ScaleCommand($0.arguments, environment: $0.environment)
      return try await Interruptible.run { try await command.run() }
    })
}
