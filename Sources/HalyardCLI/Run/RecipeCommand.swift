import Assembly
import JSONQuery
import LedgerSQLite
import Pipeline
import Posix
import Recipes
import Roles

/// The command `run`: a recipe, run, checked or shown.
struct RecipeCommand {
  private let file: RecipeFile
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments) throws(UsageError) {
    file = RecipeFile(name: arguments.operands.first ?? "")
    self.arguments = arguments
    guard arguments[RecipeOption.list] || !arguments.operands.isEmpty else {
      throw UsageError("no recipe given", usage: arguments.command.usage, next: "halyard run --list")
    }
    guard arguments[RecipeOption.show] else { return }
    try arguments.require(!arguments[RecipeOption.check], "--check and --show are two things")
    try arguments.require(
      arguments[RecipeOption.param].isEmpty, "--show prints the recipe as it is, without --param")
  }

  func run() async throws -> ExitCode {
    if arguments[RecipeOption.list] { return try Program.show(Self.list) }
    let bytes = try file.read()
    if arguments[RecipeOption.show] {
      try DescriptorSink().write(bytes)
      return .ok
    }
    let recipe: Recipe
    do {
      recipe = try Recipe(parsing: bytes)
    } catch {
      for problem in error.problems {
        Message.show(
          Printable.text("\(file.name):\(problem.line):\(problem.column): \(problem.message)") + "\n")
      }
      return .badInput
    }
    let words = arguments[RecipeOption.param]
    do {
      _ = try RecipeArguments(words, for: recipe, needingAll: !arguments[RecipeOption.check])
    } catch {
      throw UsageError.badValue(RecipeOption.param.spec, error.message, command: arguments.command)
    }
    if arguments[RecipeOption.check] {
      return try Program.show("\(Printable.text(file.name)): \(Self.summary(of: recipe))\n")
    }
    return try await RecipeRunning(bytes, named: file.name, told: words, arguments).run()
  }

  private static var list: String {
    let rows = ShippedRecipe.allCases.map { shipped in
      (shipped.rawValue, (try? Recipe(parsing: shipped.file))?.about ?? "")
    }
    return TextLayout.rows(rows, width: HelpPage.width).map { "\($0)\n" }.joined()
  }

  private static func summary(of recipe: Recipe) -> String {
    func counted(_ count: Int, _ thing: String) -> String { "\(count) \(thing)\(count == 1 ? "" : "s")" }
    let parts = [
      counted(recipe.parameters.count, "parameter"), counted(recipe.sections.count, "section"),
      counted(recipe.steps.count, "step"),
    ]
    return "sound: \(parts.joined(separator: ", "))"
  }
}

/// Runs a recipe, here or in a fleet, and prints what was gathered.
struct RecipeRunning {
  private let arguments: ParsedArguments
  private let draft: JobDraft
  private let settings: PipelineOptions
  /// The ledger's file; nil when nothing is kept.
  private let ledger: String?
  /// Does the work, when one is named.
  private let fleet: FleetLinkPlan?
  private let target: String?
  /// Where a page of it goes; nil for nowhere.
  private let page: String?
  /// nil when progress is not shown.
  private let graph: RunGraph?

  init(_ recipe: [UInt8], named name: String, told words: [String], _ arguments: ParsedArguments) throws {
    self.arguments = arguments
    var draft = JobDraft(kind: .run, input: name)
    draft.reading.recipe = String(decoding: recipe, as: UTF8.self)
    draft.reading.parameters = words
    draft.reading.language = arguments[RequestOption.language]
    self.draft = draft
    settings = try PipelineOptions(arguments)
    target = arguments[RecipeOption.output].flatMap { $0 == "-" ? nil : $0 }
    if let ending = target.flatMap(OutputPlan.endingOfOthers) {
      throw arguments.rejection(
        of: RecipeOption.output, "a run's output is JSON and not written as .\(Printable.text(ending))")
    }
    fleet = try arguments.chosenFleet()
    graph = arguments.progressWidth().map { RunGraph(width: $0) }
    page = arguments[RecipeOption.html]
    try arguments.require(
      page == nil || page != target, of: RecipeOption.html, "the output goes into this file")
    let others = [target, page].compactMap(\.self).flatMap { OutputPlan.Target.file($0).paths }.map {
      ($0, "the output would go into this file too")
    }
    ledger = try DurableRun.path(
      of: LinkOption.ledger, arguments, apartFrom: others + [(name, "the recipe is in this file")])
  }

  func run() async throws -> ExitCode {
    let files = try RunFiles(output: target, page: page)
    do {
      let (row, signal) = try await rowAndSignal()
      if let row {
        let report = try RunReport(row)
        try files.write(report, whole: arguments[RecipeOption.row])
        let exit = report.tell()
        return signal.map { ExitCode(endedBy: $0) } ?? exit
      }
      files.breakOff()
      guard let signal else { return .bug }
      if ledger != nil { Message.show("halyard: interrupted; the same command goes on from here\n") }
      return ExitCode(endedBy: signal)
    } catch {
      files.breakOff()
      throw error
    }
  }

  /// The run's row, unless it stays open, and the signal that came meanwhile.
  private func rowAndSignal() async throws -> ([UInt8]?, Int32?) {
    let row = Lock<[UInt8]?>(nil)
    var user = PipelineRun.User(
      take: { rows in if let last = rows.last { row.withLock { $0 = last.json } } })
    // The run is one job, which no worker is on; what a ledger keeps stays open.
    if ledger == nil { user.interruption = "ending the run" }
    defer { Console.standardError.clear() }
    let signal = try await run(for: user)
    return (row.withLock { $0 }, signal)
  }

  private func run(for user: PipelineRun.User) async throws -> Int32? {
    if let fleet { return try await run(over: fleet, for: user) }
    return try await DurableRun.with(ledger, named: name, arguments) {
      try await run($0, for: user)
    }
  }

  private func run(_ durable: DurableRun?, for user: PipelineRun.User) async throws -> Int32? {
    let run = PipelineRun(
      options: settings,
      deadlineMilliseconds: arguments[LinkOption.deadline], log: LogPlan(arguments),
      durable: durable, ledgerTimeoutMilliseconds: FleetTimeouts.forLedger(arguments))
    var draft = draft
    if let durable {
      draft.isKnown = try await !durable.ledger.jobs(of: durable.batch, from: 0, limit: 1).isEmpty
      let isOver = try await !durable.ledger.rows(of: durable.batch, after: 0, limit: 1, bytes: 1).isEmpty
      if isOver {
        Message.show(
          "halyard: this run is over, as its ledger has it: nothing is asked again; another --ledger begins anew\n"
        )
      }
    }
    guard let graph else { return try await run.run(DraftFeed([draft]), for: user) }
    return try await run.run(DraftFeed([draft]), for: user) { (client: FleetClient) in
      let status = try await client.ask(StatusQuestion()).bytes
      graph.show(status, of: nil)
    }
  }

  private func run(over fleet: FleetLinkPlan, for user: PipelineRun.User) async throws -> Int32? {
    try await fleet.withLink { link in
      let batch = link.ports.newBatch()
      _ = try await link.client.progress(of: batch)
      let producer = link.producer(
        ProducerSettings(batch: batch, deadlineMilliseconds: arguments[LinkOption.deadline]))
      var user = user
      if let graph {
        let job = JobID(batch: batch, ordinal: 0)
        user.tick = {
          let status = try await link.client.ask(StatusQuestion()).bytes
          graph.show(status, of: job)
        }
      }
      return try await link.run(producer, DraftFeed([draft]), for: user)
    }
  }

  /// The recipe, its arguments, and the options that change the answers of its calls.
  private var name: String {
    (["run", draft.reading.recipe ?? ""] + draft.reading.parameters + [
      "settings \(FindingSettings.hash(arguments))"
    ] + (draft.reading.language.map { ["language \($0)"] } ?? []))
    .joined(separator: "\n")
  }
}
