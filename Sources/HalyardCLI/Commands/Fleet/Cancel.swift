extension CommandTable {
  static let cancel = CommandSpec(
    name: "cancel",
    summary: "Cancel the open jobs of a batch, or some of them",
    description: [
      "Ends every job of a batch that is not over, and those still to be submitted to it. Each gets its row, which says"
        + " why, and stays cancelled: submit it under another name. Requeue the batch to let in what is submitted to it"
        + " later.",
      "With --job, --host or --since, only the jobs are cancelled that match all of them, of the batch or of all batches,"
        + " and that are in the ledger by now.",
    ],
    operands: .optionalBatch,
    options: BatchOption.choice + [FleetOption.cause.spec, FleetOption.json.spec] + FleetOption.link + [
      .help
    ],
    examples: [
      Example(command: "halyard cancel monday", effect: "all that is left of it"),
      Example(command: "halyard cancel --host slow.example.org", effect: "the links of one host"),
    ],
    run: {
      let command = try BatchCommand($0.arguments, fleet: $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
