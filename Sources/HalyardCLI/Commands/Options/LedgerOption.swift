/// The options of the command `ledger`; each is declared here and nowhere else.
enum LedgerOption {
  private static let aDay: Int64 = 24 * 3_600_000

  static let file = TypedOption<String?>.text(
    OptionLabel(
      name: "ledger", placeholder: "FILE", group: .fleet,
      summary: "Work on this ledger, which no process has open, instead of the fleet's"))

  static let olderThan = TypedOption<Int64?>.duration(
    OptionLabel(
      name: "older-than", placeholder: "TIME", group: .input,
      summary: "Prune batches in which nothing has happened for so long, such as 2d"),
    in: 0...3_650 * aDay)

  static let batch = TypedOption<String?>.text(
    OptionLabel(
      name: "batch", placeholder: "BATCH", group: .input,
      summary: "Prune or export only this batch, by its id or name"))

  static let state = TypedOption<EndedState?>.choice(
    OptionLabel(
      name: "state", placeholder: "STATE", group: .input,
      summary: "Prune only jobs that ended in this way"),
    default: "all of them")

  static let unread = TypedOption<Bool>.flag(
    OptionLabel(
      name: "unread", group: .input, summary: "Prune also batches with rows that no reader has confirmed"),
    negatable: false)

  static let output = TypedOption<String?>.text(
    OptionLabel(
      name: "output", short: "o", placeholder: "FILE", group: .output,
      summary: "Write the rows of an export to FILE, which is replaced when all of them are there"))

  static let dryRun = TypedOption<Bool>.flag(
    OptionLabel(name: "dry-run", group: .general, summary: "Delete nothing, and count what would be deleted"),
    negatable: false)
}

enum EndedState: String, CaseIterable, Sendable {
  case done
  case failed
  case cancelled
}
