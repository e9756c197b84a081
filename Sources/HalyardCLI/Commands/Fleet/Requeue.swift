extension CommandTable {
  static let requeue = CommandSpec(
    name: "requeue",
    summary: "Retry the failed jobs of a batch",
    description: [
      "Retries every failed job of a batch from the start. The job loses its row, and gets a new one. Cancelled jobs"
        + " stay cancelled: submit them under another name."
    ],
    operands: .batch,
    options: [FleetOption.json.spec] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard requeue monday", effect: "all that failed")
    ],
    run: {
      let command = try BatchCommand($0.arguments, fleet: $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
