/// What a fleet is to do, and what became of it.
extension CommandTable {
  static let submit = CommandSpec(
    name: "submit",
    summary: "Submit links to a running fleet",
    description: [
      "Submits jobs as fast as the fleet takes them, and prints the id of their batch when all of them are in the"
        + " fleet's ledger. Submitting the same input again under the same --batch or --name only changes what"
        + " --priority, --at-most, --rate, --at and --finish-by say of it, as far as they are given.",
      linkForms,
    ],
    operands: .links,
    options: [
      LinkOption.list, SelectionOption.links, FleetOption.kind, LinkOption.select, LinkOption.require,
      LinkOption.unwrap, RequestOption.language, RequestOption.oembed, FleetOption.batch, FleetOption.name,
      FleetOption.json,
      LinkOption.progress, LinkOption.quiet, FleetOption.followingLink, SharingOption.terms,
      LinkOption.deadline,
    ],
    examples: [
      "halyard submit --input links.txt": "titles of a file of links",
      "halyard submit --kind unfurl --name monday --input links.csv --column url":
        "the same batch, however often it is submitted",
      "halyard submit --priority low --rate 5/s --at 22:00 --input archive.txt":
        "slowly, from ten in the evening, behind everything else",
    ],
    run: { try await SubmitCommand($0.arguments, fleet: $0.arguments.fleet()).run() })

  static let results = CommandSpec(
    name: "results",
    summary: "Print the rows of a batch",
    description: [
      "Prints the rows that a batch has so far; with --follow also those to come, until it is complete."
        + " Rows stay in the fleet's ledger and can be printed again. A batch is named by its id, or by the name"
        + " under which it was submitted. Exits with 1 when a job failed or was cancelled, or when the batch was"
        + " abandoned by its producer.",
      "With -o, the same command goes on where it was killed, unless it writes a database, a table or --ordered rows.",
    ],
    operands: .batch,
    rowFields: ["input", "status", "url", "http_status", "title", "error.kind"],
    options: [
      FleetOption.follow, BatchOption.after, LinkOption.ordered, LinkOption.format, LinkOption.fields,
      LinkOption.csvSafe, SelectionOption.failuresOnly, LinkOption.output, FleetOption.json,
      LinkOption.progress, LinkOption.quiet, FleetOption.followingLink,
    ],
    examples: [
      "halyard results monday --follow": "until it is complete",
      "halyard results 0198c0de-0000-7000-8000-000000000000 --ordered -o rows.csv":
        "what there is, in order, as a file",
    ],
    run: interruptible { try ResultsCommand($0.arguments, fleet: $0.arguments.fleet()).run })

  static let batches = CommandSpec(
    name: "batches",
    summary: "List the batches of a fleet",
    description: [
      "Lists batches, the newest first. The options choose which; a batch must match all of them."
    ],
    options: [
      BatchOption.state, BatchOption.name, BatchOption.since, BatchOption.olderThan, BatchOption.unread,
      BatchOption.limit, FleetOption.json, FleetOption.link,
    ],
    examples: [
      "halyard batches --state open": "what is not finished",
      "halyard batches --name invoices --since 24h": "by name and age",
      "halyard batches --unread --limit 100000 --json": "for programs",
    ],
    run: interruptible { try BatchesCommand(arguments: $0.arguments, fleet: $0.arguments.fleet()).run })

  static let job = CommandSpec(
    name: "job",
    summary: "Show what became of a job",
    description: [
      "Shows the attempts of a job, with their times, workers and failures, what happens next, and its row when it is"
        + " over. A job is named by its id, or by its link as it was submitted. If several jobs have the link, the newest"
        + " is shown, and how many more there are."
    ],
    operands: .job,
    options: [JobOption.stories, FleetOption.json, FleetOption.link],
    examples: [
      "halyard job http://sho.rt/x": "the newest job of this link",
      "halyard job 0198c0de-0000-7000-8000-000000000000": "the job of this id",
    ],
    run: interruptible { try JobCommand(arguments: $0.arguments, fleet: $0.arguments.fleet()).run })

  static let jobs = CommandSpec(
    name: "jobs",
    summary: "List jobs of a fleet",
    description: [
      "Lists jobs, the newest batch first, and in each batch the last job first. The options choose which; a job must"
        + " match all of them."
    ],
    options: [
      JobOption.state, JobOption.kind, JobOption.host, JobOption.batch, JobOption.since, JobOption.limit,
      FleetOption.json, FleetOption.link,
    ],
    examples: [
      "halyard jobs --state failed --since 1h": "what failed in the last hour",
      "halyard jobs --host example.org --batch monday": "the links of one host",
      "halyard jobs --state ready --limit 100000 --json": "for programs",
    ],
    run: interruptible { try JobsCommand(arguments: $0.arguments, fleet: $0.arguments.fleet()).run })

  static let change = CommandSpec(
    name: "change",
    summary: "Change the priority and the limits of a batch",
    description: [
      "Changes what 'submit' said of a batch, without its list. Only the options that are given change something. Jobs in"
        + " progress are finished."
    ],
    operands: .batch,
    options: [
      SharingOption.priority, SharingOption.atMost, SharingOption.rate, SharingOption.at, FleetOption.json,
      FleetOption.link,
    ],
    examples: [
      "halyard change monday --priority high": "before other batches",
      "halyard change archive --rate 5/s --at-most 10": "slowly from now on",
    ],
    run: interruptible { try ChangeCommand($0.arguments, fleet: $0.arguments.fleet()).run })

  static let cancel = CommandSpec(
    name: "cancel",
    summary: "Cancel the open jobs of a batch, or some of them",
    description: [
      "Ends every job of a batch that is not over, and those still to be submitted to it. Each gets its row, which says"
        + " why, and stays cancelled: submit it under another name. Requeue the batch to let in what is submitted to it"
        + " later.",
      "Says how many jobs were open. One of them whose result came in at the same moment keeps that result.",
      "--job ID alone names one job. --host and --since choose jobs of the batch, or of all batches, that are in the ledger by"
        + " now; together, both must match.",
    ],
    operands: .optionalBatch,
    options: [BatchOption.choice, FleetOption.cause, FleetOption.json, FleetOption.link],
    examples: [
      "halyard cancel monday": "all that is left of it",
      "halyard cancel --host slow.example.org": "the links of one host",
    ],
    run: interruptible { try BatchCommand($0.arguments, fleet: $0.arguments.fleet()).run })

  static let requeue = CommandSpec(
    name: "requeue",
    summary: "Retry the failed jobs of a batch, or some of them",
    description: [
      "Retries every failed job of a batch from the start. The job loses its row, and gets a new one. Cancelled jobs"
        + " stay cancelled: submit them under another name.",
      "With --ledger, the failed jobs of a file that unfurl, title or decode made are retried when their command runs"
        + " again with this --ledger. A batch need not be named there.",
      "--job ID alone names one job. --host and --since choose jobs of the batch, or of all batches; together, both must"
        + " match.",
      "With --failed-kind, only jobs are retried whose row has one of these kinds as its error.kind.",
    ],
    operands: .optionalBatch,
    options: [
      BatchOption.choice, JobOption.failedKind, LedgerOption.file, FleetOption.json, FleetOption.link,
    ],
    examples: [
      "halyard requeue monday": "all that failed",
      "halyard requeue monday --failed-kind timeout,connect": "what may pass by itself",
      "halyard requeue --host example.org --since 1h": "of one host, in the last hour",
      "halyard requeue --ledger jobs.db": "all that failed in a file",
    ],
    run: interruptible {
      if let file = try LedgerRequeue($0.arguments) { return file.run }
      return try BatchCommand($0.arguments, fleet: $0.arguments.fleet()).run
    })

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
      SharingOption.host, SharingOption.all, SharingOption.pauseTime, SharingOption.reason, FleetOption.json,
      FleetOption.link,
    ],
    examples: [
      "halyard pause monday": "its open jobs wait",
      "halyard pause --all --for 1h --reason maintenance": "everything, for an hour",
      "halyard pause --host slow.example.org": "nothing new is asked of it",
    ],
    run: interruptible { try PauseCommand($0.arguments, fleet: $0.arguments.fleet()).run })

  static let resume = CommandSpec(
    name: "resume",
    summary: "Resume a batch, a host or everything",
    description: [
      "Lets the jobs of a paused batch or host start again, or those of all. What was paused by itself stays so when"
        + " everything is resumed."
    ],
    operands: .optionalBatch,
    options: [SharingOption.host, SharingOption.all, FleetOption.json, FleetOption.link],
    examples: [
      "halyard resume monday": "its jobs start again",
      "halyard resume --all": "all but batches and hosts that are paused",
    ],
    run: interruptible { try PauseCommand($0.arguments, fleet: $0.arguments.fleet()).run })
}
