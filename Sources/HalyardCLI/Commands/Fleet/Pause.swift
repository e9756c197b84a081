extension CommandTable {
  static let pause = CommandSpec(
    name: "pause",
    summary: "Pause a batch, a host or everything",
    description: [
      "Starts no more jobs of a batch, of a host, or at all, until they are resumed, also after a restart. Jobs in"
        + " progress are finished. Their deadlines do not wait. The status shows who paused what, and since when. Another"
        + " pause of the same replaces the first, with its time and its reason."
    ],
    operands: .optionalBatch,
    options: [
      SharingOption.host.spec, SharingOption.all.spec, SharingOption.pauseTime.spec,
      SharingOption.reason.spec,
      FleetOption.json.spec,
    ] + FleetOption.link + [
      .help
    ],
    examples: [
      Example(command: "halyard pause monday", effect: "its open jobs wait"),
      Example(
        command: "halyard pause --all --for 1h --reason maintenance", effect: "everything, for an hour"),
      Example(command: "halyard pause --host slow.example.org", effect: "nothing new is asked of it"),
    ],
    run: {
      let command = try PauseCommand($0.arguments, fleet: $0.fleet(), environment: $0.environment)
      return try await Interruptible.run { try await command.run() }
    })
}
