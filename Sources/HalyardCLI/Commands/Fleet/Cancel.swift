extension CommandTable {
  static let cancel = CommandSpec(
    name: "cancel",
    summary: "Cancel the open jobs of a batch",
    description: [
      "Ends every job of a batch that is not over, and those still to be submitted to it. Each gets its row, which says"
        + " why, and stays cancelled: submit it under another name. Requeue the batch to let in what is submitted to it"
        + " later."
    ],
    operands: .batch,
    options: [FleetOption.cause.spec, FleetOption.json.spec] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard cancel monday", effect: "all that is left of it")
    ],
    run: {
      let command = try BatchCommand($0.arguments, fleet: $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
