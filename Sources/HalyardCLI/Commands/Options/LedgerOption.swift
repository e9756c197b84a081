import Pipeline

/// The options of the command `ledger`; each is declared here and nowhere else.
enum LedgerOption {
  static let file = Option<String?>(
    "--ledger FILE", .fleet, .text, "Work on this ledger, which no process has open, instead of the fleet's")

  static let olderThan = Option<Int64?>(
    "--older-than TIME", .input, .integer(0...3_650 * FleetOption.aDay, as: .time),
    "Prune batches in which nothing has happened for so long, such as 2d")

  static let batch = Option<String?>(
    "--batch BATCH", .input, .text, "Prune or export only this batch, by its id or name")

  static let state = Option<JobLife.End?>(
    "--state STATE", .input,
    .choice([.done, .dead, .cancelled], { JobPhase(.over($0)).name }, default: "all of them"),
    "Prune only jobs that ended in this way")

  static let unread = Option<Bool>(
    "--unread", .input, .flag, "Prune also batches with rows that no reader has confirmed")

  static let output = Option<String?>(
    "-o, --output FILE", .output, .text,
    "Write the rows of an export to FILE, which is replaced when all of them are there")

  static let dryRun = Option<Bool>(
    "--dry-run", .general, .flag, "Delete nothing, and count what would be deleted")
}
