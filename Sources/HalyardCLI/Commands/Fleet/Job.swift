extension CommandTable {
  static let job = CommandSpec(
    name: "job",
    summary: "Show what became of a job",
    description: [
      "Shows the attempts of a job, with their times, workers and failures, what happens next, and its row when it is"
        + " over. A job is named by its id, or by its link as it was submitted. If several jobs have the link, the newest"
        + " is shown, and how many more there are."
    ],
    operands: .job,
    options: [JobOption.stories.spec, FleetOption.json.spec] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard job http://sho.rt/x", effect: "the newest job of this link"),
      Example(command: "halyard job 0198c0de-0000-7000-8000-000000000000", effect: "the job of this id"),
    ],
    run: {
      let command = try JobCommand($0.arguments, fleet: $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
