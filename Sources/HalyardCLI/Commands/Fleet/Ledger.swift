extension CommandTable {
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
      LedgerOption.olderThan.spec, LedgerOption.batch.spec, LedgerOption.state.spec, LedgerOption.unread.spec,
      LedgerOption.output.spec, FleetOption.json.spec, LinkOption.quiet.spec, LedgerOption.file.spec,
    ] + FleetOption.followingLink + [LedgerOption.dryRun.spec, .help],
    examples: [
      Example(command: "halyard ledger size", effect: "bytes by part, and jobs by state"),
      Example(command: "halyard ledger backup /srv/backup/jobs.db", effect: "while the fleet runs"),
      Example(command: "halyard ledger prune --older-than 2d --unread", effect: "what is over for two days"),
      Example(command: "halyard ledger compact --ledger jobs.db", effect: "a file that no process has open"),
    ],
    run: {
      let command = try LedgerCommand($0)
      return try await Interruptible.run { try await command.run() }
    })
}
