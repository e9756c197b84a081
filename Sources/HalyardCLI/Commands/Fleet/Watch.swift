extension CommandTable {
  static let watch = CommandSpec(
    name: "watch",
    summary: "Watch a fleet at work",
    description: [
      "Shows workers, jobs and batches of a fleet, again and again, until it is interrupted; or how far one batch is,"
        + " until it is complete."
    ],
    operands: .optionalBatch,
    options: [FleetOption.json.spec, FleetOption.every.spec, FleetOption.updates.spec]
      + FleetOption.followingLink + [
        .help
      ],
    examples: [
      Example(command: "halyard watch", effect: "on a terminal"),
      Example(command: "halyard watch monday", effect: "the batch of this name, or id"),
      Example(command: "halyard watch --json --every 10s", effect: "a line every ten seconds"),
    ],
    run: {
      if let batch = BatchText($0.arguments) {
        let command = WatchCommand($0.arguments, of: batch, fleet: try $0.fleet())
        return try await Interruptible.run { try await command.run() }
      }
      let command = StatusCommand($0.arguments, fleet: try $0.fleet(), environment: $0.environment)
      return try await Interruptible.run { try await command.run() }
    })
}
