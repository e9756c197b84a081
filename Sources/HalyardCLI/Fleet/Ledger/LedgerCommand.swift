import JSONQuery
import LedgerSQLite
import Pipeline
import Posix
import Recipes
import Roles

/// The command `ledger`.
struct LedgerCommand {
  let arguments: ParsedArguments
  let verb: LedgerVerb
  /// The columns of an export into a database: rows of all kinds are in it.
  private static let columns = [
    "id", "batch", "ordinal", "kind", "input", "ref", "status", "url", "http_status", "title", "value",
    "error.kind",
    "error.message", "attempts", "ms", "kept",
  ]

  /// What to prune.
  private let choice: ForgettingChoice
  /// nil for a file.
  private let fleet: FleetLinkPlan?
  private let output: OutputPlan

  init(_ arguments: ParsedArguments) throws {
    self.arguments = arguments
    verb = try LedgerVerb(arguments)
    choice = verb == .prune ? try ForgettingChoice(arguments) : ForgettingChoice()
    fleet = arguments[LedgerOption.file] == nil ? try arguments.fleet() : nil
    var output = try OutputPlan(arguments)
    output.format = .jsonl
    output.rowFields = Self.columns
    self.output = output
  }

  func run() async throws -> ExitCode {
    guard let fleet else { return try await runOnFile() }
    do {
      return try await fleet.withLink { try await run(on: FleetLedger(link: $0)) }
    } catch let error as FleetSilent where error.condition.isAbsent {
      let words = ["ledger"] + arguments.operands + ["--ledger", error.mark?.ledger ?? "FILE"]
      let other = words.map { ShellWord.quoted(Printable.text($0)) }.joined(separator: " ")
      throw FleetRefusal(
        words: error.words, next: "\(error.next(arguments.environment))\n       halyard \(other)")
    }
  }

  private func runOnFile() async throws -> ExitCode {
    try await withPresentLedger(at: arguments[LedgerOption.file] ?? "") { ledger in
      // Nothing else uses it, so it need not be copied first.
      if verb == .check { return try show(problems: try await ledger.check()) }
      return try await run(on: FileLedger(ledger: ledger))
    }
  }

  private func run(on ledger: some LedgerAccess) async throws -> ExitCode {
    switch verb {
    case .size: return try show(try await ledger.care(.size))
    case .prune:
      let age = arguments[LedgerOption.olderThan] ?? 0
      return try show(try await ledger.care(.forget(choice, olderThanMilliseconds: age)))
    case .compact: return try show(try await ledger.care(.shrink))
    case .backup:
      let copy = LedgerBackup(target: arguments.operands.dropFirst().first)
      try copy.checkTarget()
      let report = try await ledger.care(.copy)
      return try show(try copy.taken(report))
    case .check: return try await check(ledger)
    case .export: return try await export(ledger)
    }
  }

  /// The fleet's ledger is in use, so a copy of it is read, by this process.
  private func check(_ ledger: some LedgerAccess) async throws -> ExitCode {
    let report = try await ledger.care(.copy)
    guard let path = try LedgerBackup.path(in: report) else { return try show(report) }
    defer { _ = removeFile(path: path) }
    return try await withLedger(at: path) { copy in
      try show(problems: try await copy.check())
    }
  }

  private func export(_ ledger: some LedgerAccess) async throws -> ExitCode {
    let batch = arguments[LedgerOption.batch].map { BatchText($0) }
    // Before the output is emptied.
    if let batch { try await ledger.check(batch) }
    let rows = try RowOutput(try output.open())
    var cut: [BatchID] = []
    do {
      var (place, reading) = (RowPlace?.some(.first), BatchID?.none)
      while let after = place {
        let page = try await ledger.storedRows(of: batch?.id, after: after)
        if after.number > 0, let reading, page.items.first?.batch != reading, try await !ledger.has(reading) {
          cut.append(reading)
        }
        try await rows.take(page.items)
        (place, reading) = (page.next, page.items.last?.batch ?? reading)
      }
      // Of a batch that was deleted meanwhile, no more rows came.
      if let batch { try await ledger.check(batch) }
    } catch {
      await rows.breakOff(keepingRows: false)
      throw error
    }
    try await rows.finish { _ in false }
    for batch in cut { Message.show(RowsLost(of: batch, .deleted).rendered) }
    return cut.isEmpty ? .ok : .unreachable
  }

  private func show(_ report: [UInt8]) throws -> ExitCode {
    let text = try LedgerText(report)
    if let cause = text.failure, !arguments[FleetOption.json] {
      Message.show("halyard: \(Printable.text(cause))\n")
    } else {
      try arguments.show(json: report + [UInt8(ascii: "\n")], lines: text.lines(pruned: choice))
    }
    return text.failure == nil ? .ok : .unreachable
  }

  private func show(problems: [String]) throws -> ExitCode {
    let json = JSONWriter.line { line in
      line.member("schema", "halyard.ledger/1")
      line.member("verb", verb.rawValue)
      line.member("state", "done")
      line.member("sound", problems.isEmpty)
      line.beginArray("problems")
      for problem in problems { line.string(problem) }
      line.endArray()
    }
    try arguments.show(json: json, lines: problems.isEmpty ? ["the ledger is sound"] : problems)
    return problems.isEmpty ? .ok : .someFailed
  }
}

extension NumberedRow {
  /// As its row says.
  fileprivate var batch: BatchID? {
    (try? JSONDocument(parsing: json).root["batch"]?.string).flatMap { UUIDv7($0) }.map { BatchID($0) }
  }
}

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

extension ForgettingChoice {
  init(_ arguments: ParsedArguments) throws(UsageError) {
    try arguments.require(
      arguments.isSet([OptionSpec](LedgerOption.olderThan, LedgerOption.batch, LedgerOption.state)),
      "prune needs to know what: --older-than TIME, --batch BATCH or --state STATE")
    self.init(
      batch: arguments[LedgerOption.batch].map { BatchText($0).id }, end: arguments[LedgerOption.state],
      unconfirmedToo: arguments[LedgerOption.unread], onlyCounts: arguments[LedgerOption.dryRun])
  }
}

/// A report of the ledger's care, for people.
struct LedgerText {
  private let report: JSONValue

  init(_ json: [UInt8]) throws {
    report = try JSONDocument(parsing: json).root
  }

  /// Why nothing came of it; nil when something did.
  var failure: String? {
    guard report["state"]?.string == "failed" else { return nil }
    let jobs = report.number("jobs")
    let deleted = jobs > 0 ? "; \(Counted.jobs(UInt64(jobs))) deleted before that" : ""
    return (report["cause"]?.string ?? "") + deleted
  }

  /// - Parameter choice: What was to be pruned.
  func lines(pruned choice: ForgettingChoice) -> [String] {
    let jobs = Counted.jobs(UInt64(clamping: report.number("jobs")))
    let bytes = Quantity.about(report.number("bytes"))
    switch report["verb"]?.string {
    case "size": return sizeLines
    case "prune":
      let end =
        choice.unconfirmedToo
        ? "" : "; without --unread, jobs stay whose rows no reader has confirmed: 'results' confirms none"
      let hint =
        choice.batch == nil
        ? "; 'halyard batches --state complete' lists those that could go, with their ages"
        : "; there is no such batch, or it is open and keeps all of its jobs"
      let deleted = choice.onlyCounts ? "can be deleted" : "deleted"
      return ["\(jobs) \(deleted)\(report.number("jobs") > 0 ? "" : hint)\(end)"]
    case "backup": return ["\(bytes) copied to \(report["path"]?.string ?? "")"]
    case "compact": return ["\(bytes) given back to the disk"]
    default: return []
    }
  }

  private var sizeLines: [String] {
    let parts = LedgerSize.Part.allCases.map { part in
      "\(Quantity.about(report.number("parts", part.rawValue)).leftPadded(to: 10))  \(Self.words(part))"
    }
    let open = ["waiting", "ready", "leased", "scheduled"].map { report.number("jobs", $0) }.reduce(0, +)
    let counts = ["done", "failed", "cancelled"].map { "\(report.number("jobs", $0)) \($0)" }.joined(
      separator: ", ")
    var lines = ["\(Quantity.about(report.number("bytes")).leftPadded(to: 10))  in all"] + parts
    lines.append("jobs  \(open) open, \(counts), in \(batches)")
    if let oldest = report["oldest"]?.int64 {
      lines.append("oldest  complete since \(Moment(unixMilliseconds: oldest).timestamp)")
    }
    let prunable = report.number("prunable", "jobs")
    if prunable > 0 {
      lines.append(
        "prune  can delete \(prunable) jobs, about \(Quantity.about(report.number("prunable", "bytes"))); "
          + "without --unread \(report.number("prunable", "read"))")
    }
    if report.number("parts", "free") > 0 { lines.append("compact  can give back what is free") }
    return lines
  }

  private var batches: String {
    let count = report.number("batches")
    return count == 1 ? "1 batch" : "\(count) batches"
  }

  private static func words(_ part: LedgerSize.Part) -> String {
    switch part {
    case .data: "jobs, rows and cached answers"
    case .free: "free, used for new data"
    case .log: "log of the last commits"
    case .reserve: "kept back for a full disk"
    }
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
