extension CommandTable {
  static let jobs = CommandSpec(
    name: "jobs",
    summary: "List jobs of a fleet",
    description: [
      "Lists jobs, the newest batch first, and in each batch the last job first. The options choose which; a job must"
        + " match all of them."
    ],
    operands: .none,
    options: [
      JobOption.state.spec, JobOption.kind.spec, JobOption.host.spec, JobOption.batch.spec,
      JobOption.since.spec,
      JobOption.limit.spec, FleetOption.json.spec,
    ] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard jobs --state failed --since 1h", effect: "what failed in the last hour"),
      Example(command: "halyard jobs --host example.org --batch monday", effect: "the links of one host"),
      Example(command: "halyard jobs --state ready --limit 100000 --json", effect: "for programs"),
    ],
    run: {
      let command = try JobsCommand($0.arguments, fleet: $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
