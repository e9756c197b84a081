extension CommandTable {
  static let requeue = CommandSpec(
    name: "requeue",
    summary: "Try the failed jobs of a batch once more",
    description: [
      "Tries every failed job of a batch once more, from the start. Its row goes, and it will get a new one. Jobs that"
        + " were cancelled stay cancelled: submit them under another name."
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
