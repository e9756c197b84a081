extension CommandTable {
  static let batches = CommandSpec(
    name: "batches",
    summary: "List the batches of a fleet",
    description: [
      "Lists batches, the newest first. The options choose which; a batch must match all of them."
    ],
    operands: .none,
    options: [
      BatchOption.state.spec, BatchOption.name.spec, BatchOption.since.spec, BatchOption.olderThan.spec,
      BatchOption.unread.spec, BatchOption.limit.spec, FleetOption.json.spec,
    ] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard batches --state open", effect: "what is not finished"),
      Example(command: "halyard batches --name invoices --since 24h", effect: "by name and age"),
      Example(command: "halyard batches --unread --limit 100000 --json", effect: "for programs"),
    ],
    run: {
      let command = try BatchesCommand($0.arguments, fleet: $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
