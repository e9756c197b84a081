/// How a fleet is, and what keeps it well.
extension CommandTable {
  static let watch = CommandSpec(
    name: "watch",
    summary: "Watch a fleet at work",
    description: [
      "Shows workers, jobs and batches of a fleet, again and again, until it is interrupted; or how far one batch is,"
        + " until it is complete."
    ],
    operands: .optionalBatch,
    options: [FleetOption.json, FleetOption.every, FleetOption.updates, FleetOption.followingLink],
    examples: [
      "halyard watch": "on a terminal",
      "halyard watch monday": "the batch of this name, or id",
      "halyard watch --json --every 10s": "a line every ten seconds",
    ],
    run: interruptible {
      if let batch = BatchText($0.arguments) {
        return try WatchCommand(arguments: $0.arguments, batch: batch, fleet: $0.arguments.fleet()).run
      }
      return try status($0)
    })

  static let status = CommandSpec(
    name: "status",
    summary: "Show the fleet's status",
    description: [
      "Shows whether a fleet is well, its workers, the number of jobs in each state, and the progress of its newest"
        + " batches. Exits with 0 if it is well, with 1 if it is not."
    ],
    options: [FleetOption.json, FleetOption.link, FleetOption.reachable],
    examples: [
      "halyard status": "for people",
      "halyard status --json": "for programs",
      "halyard status --reachable": "for the probes of a container",
    ],
    run: interruptible(status))

  /// What `watch` shows of a whole fleet too.
  private static func status(_ context: CommandContext) throws -> @Sendable () async throws -> ExitCode {
    try StatusCommand(arguments: context.arguments, fleet: context.arguments.fleet()).run
  }

  static let drain = CommandSpec(
    name: "drain",
    summary: "Let a worker finish its jobs and end",
    description: [
      "Gives a fetcher or decoder no more jobs. It finishes those that it has, and ends; 'up' and systemd do not start it"
        + " again. WORKER is its id as 'halyard status' shows it, or the beginning or end of one.",
      "Returns when the worker has confirmed it, before it has finished.",
    ],
    operands: .worker,
    options: [FleetOption.json, FleetOption.link],
    examples: [
      "halyard drain 019a3c7e": "the one worker whose id begins or ends like this"
    ],
    run: interruptible { try DrainCommand(arguments: $0.arguments, fleet: $0.arguments.fleet()).run })

  static let ping = CommandSpec(
    name: "ping",
    summary: "Send an echo through every role of a fleet",
    description: [
      "Sends a job that touches nothing outside through aggregator, fetcher and decoder, and tells how long each"
        + " part of the way took, by the clocks of their machines."
    ],
    options: [FleetOption.count, FleetOption.json, FleetOption.link],
    examples: [
      "halyard ping": "check that the fleet answers",
      "halyard ping --count 10 --json": "ten times, for programs",
    ],
    run: interruptible { try PingCommand(arguments: $0.arguments, fleet: $0.arguments.fleet()).run })

  static let ledger = CommandSpec(
    name: "ledger",
    summary: "Look after a fleet's ledger",
    description: [
      "size shows what the ledger takes on its disk, and for what. check reads a copy of it and tells what is wrong."
        + " backup makes a copy in FILE, which must not exist yet, or beside the ledger if there is no FILE. prune deletes"
        + " jobs of complete batches with their rows. compact gives the room of deleted jobs back to the disk. export"
        + " prints the rows of all batches as JSONL.",
      "The fleet goes on with its jobs meanwhile: the aggregator works on the ledger in short steps between two commits."
        + " backup and check need a command on the fleet's machine. With --ledger, the command works on a file that no"
        + " process has open.",
      "prune needs --older-than, --batch or --state. It never deletes an open job, nor anything of a batch that has one"
        + " or expects more. Exits with 1 if check finds something wrong.",
    ],
    operands: .ledgerVerb,
    options: [
      LedgerOption.olderThan, LedgerOption.batch, LedgerOption.state, LedgerOption.unread,
      LedgerOption.output, FleetOption.json, LinkOption.quiet, LedgerOption.file, FleetOption.followingLink,
      LedgerOption.dryRun,
    ],
    examples: [
      "halyard ledger size": "bytes by part, and jobs by state",
      "halyard ledger backup /srv/backup/jobs.db": "while the fleet runs",
      "halyard ledger prune --older-than 2d --unread": "what is over for two days",
      "halyard ledger compact --ledger jobs.db": "a file that no process has open",
    ],
    run: interruptible { try LedgerCommand($0.arguments).run })
}
