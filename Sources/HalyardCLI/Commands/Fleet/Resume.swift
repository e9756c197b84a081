extension CommandTable {
  static let resume = CommandSpec(
    name: "resume",
    summary: "Resume a batch, a host or everything",
    description: [
      "Lets the jobs of a paused batch or host start again, or those of all. What was paused by itself stays so when"
        + " everything is resumed."
    ],
    operands: .optionalBatch,
    options: [SharingOption.host.spec, SharingOption.all.spec, FleetOption.json.spec] + FleetOption.link + [
      .help
    ],
    examples: [
      Example(command: "halyard resume monday", effect: "its jobs start again"),
      Example(command: "halyard resume --all", effect: "all but batches and hosts that are paused"),
    ],
    run: {
      let command = try PauseCommand($0.arguments, fleet: $0.fleet(), environment: $0.environment)
      return try await Interruptible.run { try await command.run() }
    })
}
