/// The commands that talk to a fleet.
extension CommandTable {
  static let talkCommands = [submit, results, watch, status, cancel, requeue, ping]

  static let submit = CommandSpec(
    name: "submit",
    summary: "Hand links to a running fleet, and go",
    description: [
      "Hands jobs to a fleet as fast as it takes them, and prints their batch's id as soon as all of them are safe in"
        + " the fleet's ledger. To submit the same input again under the same --batch or --name changes nothing.",
      linkForms,
    ],
    operands: .links,
    options: [
      LinkOption.input.spec, LinkOption.inputFormat.spec, LinkOption.column.spec, LinkOption.keep.spec,
      FleetOption.kind.spec, LinkOption.select.spec, LinkOption.require.spec, LinkOption.unwrap.spec,
      RequestOption.oembed.spec, FleetOption.batch.spec, FleetOption.name.spec,
      FleetOption.json.spec, LinkOption.progress.spec, LinkOption.quiet.spec,
    ] + FleetOption.followingLink + [LinkOption.deadline.spec, .help],
    examples: [
      Example(command: "halyard submit --input links.txt", effect: "titles of a file of links"),
      Example(
        command: "halyard submit --kind unfurl --name monday --input links.csv --column url",
        effect: "the same batch, however often it is submitted"),
    ])

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
      FleetOption.follow.spec, LinkOption.ordered.spec, LinkOption.format.spec, LinkOption.fields.spec,
      LinkOption.csvSafe.spec,
      LinkOption.output.spec, FleetOption.json.spec, LinkOption.progress.spec, LinkOption.quiet.spec,
    ] + FleetOption.followingLink + [.help],
    examples: [
      Example(
        command: "halyard results monday --follow", effect: "until it is complete"),
      Example(
        command: "halyard results 0198c0de-0000-7000-8000-000000000000 --ordered -o rows.csv",
        effect: "what there is, in order, as a file"),
    ])

  static let watch = CommandSpec(
    name: "watch",
    summary: "Watch a fleet at work",
    description: [
      "Shows workers, jobs and batches of a fleet, again and again, until it is interrupted; or how far one batch is,"
        + " until it is complete."
    ],
    operands: .optionalBatch,
    options: [FleetOption.json.spec, FleetOption.every.spec, FleetOption.updates.spec]
      + FleetOption.followingLink + [
        .help
      ],
    examples: [
      Example(command: "halyard watch", effect: "on a terminal"),
      Example(command: "halyard watch monday", effect: "the batch of this name, or id"),
      Example(command: "halyard watch --json --every 10s", effect: "a line every ten seconds"),
    ])

  static let status = CommandSpec(
    name: "status",
    summary: "Tell how a fleet is",
    description: [
      "Tells whether a fleet is well, who works in it, how many jobs are in which state, and how far its newest"
        + " batches are. Exits with 0 when it is well, with 1 when it is not."
    ],
    operands: .none,
    options: [FleetOption.json.spec] + FleetOption.link + [FleetOption.reachable.spec, .help],
    examples: [
      Example(command: "halyard status", effect: "for people"),
      Example(command: "halyard status --json", effect: "for programs"),
      Example(command: "halyard status --reachable", effect: "for the probes of a container"),
    ])

  static let cancel = CommandSpec(
    name: "cancel",
    summary: "End the jobs of a batch that are not over",
    description: [
      "Ends every job of a batch that is not over, and those still to be submitted to it. Each gets its row, which says"
        + " why, and stays cancelled: submit it under another name. Requeue the batch to let in what is submitted to it"
        + " later."
    ],
    operands: .batch,
    options: [FleetOption.cause.spec, FleetOption.json.spec] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard cancel monday", effect: "all that is left of it")
    ])

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
    ])

  static let ping = CommandSpec(
    name: "ping",
    summary: "Send an echo through every role of a fleet",
    description: [
      "Sends a job that touches nothing outside through aggregator, fetcher and decoder, and tells how long each"
        + " part of the way took, by the clocks of their machines."
    ],
    operands: .none,
    options: [FleetOption.count.spec, FleetOption.json.spec] + FleetOption.link + [.help],
    examples: [
      Example(command: "halyard ping", effect: "check that the fleet answers"),
      Example(command: "halyard ping --count 10 --json", effect: "ten times, for programs"),
    ])
}
