extension CommandTable {
  static let change = CommandSpec(
    name: "change",
    summary: "Change the priority and the limits of a batch",
    description: [
      "Changes what 'submit' said of a batch, without its list. Only the options that are given change something. Jobs in"
        + " progress are finished."
    ],
    operands: .batch,
    options: [
      SharingOption.priority.spec, SharingOption.atMost.spec, SharingOption.rate.spec, SharingOption.at.spec,
      FleetOption.json.spec,
    ] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard change monday --priority high", effect: "before other batches"),
      Example(command: "halyard change archive --rate 5/s --at-most 10", effect: "slowly from now on"),
    ],
    run: {
      let command = try ChangeCommand($0.arguments, fleet: $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
