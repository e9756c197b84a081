import JSONQuery
import LedgerSQLite
import Pipeline
import Posix
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

  private let prune: PrunePlan?
  /// nil for a file.
  private let fleet: FleetLinkPlan?
  private let output: OutputPlan

  init(_ arguments: ParsedArguments) throws {
    self.arguments = arguments
    verb = try LedgerVerb(arguments)
    prune = verb == .prune ? try PrunePlan(arguments) : nil
    fleet = arguments[LedgerOption.file] == nil ? try arguments.fleet() : nil
    var output = try OutputPlan(arguments)
    output.format = .jsonl
    output.show(Self.columns)
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
      guard let prune else { return .bug }
      let task = LedgerTask.forget(prune.choice, olderThanMilliseconds: prune.olderThanMilliseconds)
      return try show(try await ledger.care(task))
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
}

extension NumberedRow {
  /// As its row says.
  fileprivate var batch: BatchID? {
    (try? JSONDocument(parsing: json).root["batch"]?.string).flatMap { UUIDv7($0) }.map { BatchID($0) }
  }
}

extension LedgerCommand {
  private func show(_ report: [UInt8]) throws -> ExitCode {
    let text = try LedgerText(report)
    if let cause = text.failure, !arguments[FleetOption.json] {
      Message.show("halyard: \(Printable.text(cause))\n")
    } else {
      try arguments.show(json: report + [UInt8(ascii: "\n")], lines: text.lines(pruned: prune?.choice))
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
