extension CommandTable {
  static let requeue = CommandSpec(
    name: "requeue",
    summary: "Retry the failed jobs of a batch, or some of them",
    description: [
      "Retries every failed job of a batch from the start. The job loses its row, and gets a new one. Cancelled jobs"
        + " stay cancelled: submit them under another name.",
      "With --ledger, the failed jobs of a file that unfurl, title or decode made are retried when their command runs"
        + " again with this --ledger. A batch need not be named there.",
      "With --job, --host or --since, only the jobs are retried that match all of them, of the batch or of all batches.",
      "With --failed-kind, only jobs are retried whose row has one of these kinds as its error.kind.",
    ],
    operands: .optionalBatch,
    options: BatchOption.choice + [JobOption.failedKind.spec, LedgerOption.file.spec, FleetOption.json.spec]
      + FleetOption.link + [
        .help
      ],
    examples: [
      Example(command: "halyard requeue monday", effect: "all that failed"),
      Example(
        command: "halyard requeue monday --failed-kind timeout,connect", effect: "what may pass by itself"),
      Example(
        command: "halyard requeue --host example.org --since 1h", effect: "of one host, in the last hour"),
      Example(command: "halyard requeue --ledger jobs.db", effect: "all that failed in a file"),
    ],
    run: {
      if let file = try LedgerRequeue($0.arguments) {
        return try await Interruptible.run { try await file.run() }
      }
      let command = try BatchCommand($0.arguments, fleet: $0.fleet())
      return try await Interruptible.run { try await command.run() }
    })
}
