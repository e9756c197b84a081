extension CommandTable {
  static let results = CommandSpec(
    name: "results",
    summary: "Print the rows of a batch",
    description: [
      "Prints the rows that a batch has so far; with --follow also those to come, until it is complete."
        + " Rows stay in the fleet's ledger and can be printed again. A batch is named by its id, or by the name"
        + " under which it was submitted. Exits with 1 when a job failed or was cancelled, or when the batch was"
        + " abandoned by its producer."
    ],
    operands: .batch,
    rowFields: ["input", "status", "url", "http_status", "title", "error.kind"],
    options: [
      FleetOption.follow.spec, BatchOption.after.spec, LinkOption.ordered.spec, LinkOption.format.spec,
      LinkOption.fields.spec,
      LinkOption.csvSafe.spec, SelectionOption.failuresOnly.spec,
      LinkOption.output.spec, FleetOption.json.spec, LinkOption.progress.spec, LinkOption.quiet.spec,
    ] + FleetOption.followingLink + [.help],
    examples: [
      Example(
        command: "halyard results monday --follow", effect: "until it is complete"),
      Example(
        command: "halyard results 0198c0de-0000-7000-8000-000000000000 --ordered -o rows.csv",
        effect: "what there is, in order, as a file"),
    ],
    run: {
      let command = try ResultsCommand($0.arguments, fleet: $0.fleet(), environment: $0.environment)
      return try await Interruptible.run { try await command.run() }
    })
}
