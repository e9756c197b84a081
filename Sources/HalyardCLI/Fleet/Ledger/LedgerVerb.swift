import Pipeline
import Recipes

/// What the command `ledger` does.
enum LedgerVerb: String, CaseIterable, Sendable {
  case size
  case check
  case backup
  case prune
  case compact
  case export

  static let list = allCases.map(\.rawValue).joined(separator: "|")

  /// Options that only some verbs have.
  private static let own: [(option: OptionSpec, verbs: [LedgerVerb])] = [
    (LedgerOption.olderThan.spec, [.prune]), (LedgerOption.state.spec, [.prune]),
    (LedgerOption.unread.spec, [.prune]), (LedgerOption.dryRun.spec, [.prune]),
    (LedgerOption.batch.spec, [.prune, .export]), (LedgerOption.output.spec, [.export]),
  ]

  /// What the arguments name, with nothing that does not belong to it.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    let word = arguments.operands.first ?? ""
    guard let verb = LedgerVerb(rawValue: word) else {
      let meant = Suggestion.closest(to: word, among: Self.allCases.map(\.rawValue))
      let hint = meant.map { " — did you mean '\($0)'?" } ?? ""
      throw UsageError("unknown verb '\(word)'\(hint)", command: arguments.command)
    }
    if verb != .backup, arguments.operands.count > 1 {
      throw UsageError("unexpected argument '\(arguments.operands[1])'", command: arguments.command)
    }
    for (option, verbs) in Self.own where arguments.isOnCommandLine(option) && !verbs.contains(verb) {
      let others = verbs.map { "'\($0.rawValue)'" }.joined(separator: " and ")
      throw UsageError("option '\(option.flag)' is for \(others)", command: arguments.command)
    }
    self = verb
  }
}

/// What to prune.
struct PrunePlan: Hashable, Sendable {
  let choice: ForgettingChoice
  let olderThanMilliseconds: Int64

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let age = arguments[LedgerOption.olderThan]
    let batch = arguments[LedgerOption.batch].map { BatchText($0) }
    let end = arguments[LedgerOption.state]
    try arguments.require(
      age != nil || batch != nil || end != nil,
      "prune needs to know what: --older-than TIME, --batch BATCH or --state STATE")
    choice = ForgettingChoice(
      batch: batch?.id, end: end, unconfirmedToo: arguments[LedgerOption.unread],
      onlyCounts: arguments[LedgerOption.dryRun])
    olderThanMilliseconds = age ?? 0
  }
}
