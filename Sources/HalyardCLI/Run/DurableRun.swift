import Assembly
import HalyardConcurrency
import LedgerSQLite
internal import Links
import Pipeline
import Posix

/// Opens a ledger's file while `body` runs.
func withLedger<Answer>(
  at path: String, _ body: (SQLiteLedger) async throws -> Answer
) async throws -> Answer {
  let ledger = try await SQLiteLedger.open(path: path)
  return try await withCleanup {
    try await body(ledger)
  } cleanup: {
    await ledger.close()
  }
}

/// A run that is kept in a ledger's file, so that the same command takes it up again.
struct DurableRun: Sendable {
  let ledger: SQLiteLedger
  let batch: BatchID

  /// - Parameters:
  ///   - path: nil for a run that is not kept.
  ///   - name: The same for the same run, see `name(_:_:_:)`.
  ///   - arguments: They say how long jobs left open by an earlier attempt have from now on.
  static func with<Answer>(
    _ path: String?, named name: @autoclosure () -> String, _ arguments: ParsedArguments,
    _ body: (DurableRun?) async throws -> Answer
  ) async throws -> Answer {
    guard let path else { return try await body(nil) }
    return try await withLedger(at: path) { ledger in
      let now = SystemClock().now
      let batch = try await ledger.batch(
        ofRun: name(), orNew: BatchID(.random(at: now)),
        deadline: arguments[LinkOption.deadline].map { now.advanced(byMilliseconds: $0) })
      return try await body(DurableRun(ledger: ledger, batch: batch))
    }
  }

  /// The path of a database, refused where rows or links have the same file: each would destroy the other.
  static func path(
    of option: Option<String?>, _ arguments: ParsedArguments, _ input: InputPlan, _ output: OutputPlan
  ) throws(UsageError) -> String? {
    var others = output.targets.flatMap(\.paths).map { ($0, "the rows would go into this file too") }
    for case .file(let links) in input.sources { others.append((links, "the links come from this file")) }
    return try path(of: option, arguments, apartFrom: others)
  }

  /// - Parameter others: Files that must be other ones, each with what to say when it is not.
  static func path(
    of option: Option<String?>, _ arguments: ParsedArguments,
    apartFrom others: [(path: String, complaint: String)]
  ) throws(UsageError) -> String? {
    guard let path = arguments[option] else { return nil }
    // Closed again before the database is opened: a second descriptor would take its lock away.
    let file = try? Descriptor.reading(path: path)
    for other in others
    where other.path == path || other.path == absolutePath(path) || file?.isFile(at: other.path) ?? false {
      throw arguments.rejection(of: option, other.complaint)
    }
    return path
  }

  /// The command, its input, and what changes its rows. The rest may differ from one attempt to the next.
  static func name(
    _ arguments: ParsedArguments, _ input: InputPlan, _ selection: LinkSelection
  ) -> String {
    let reading = LinkOption.reading(arguments)
    let delimiter = input.delimiter.map { ["delimiter \($0)"] } ?? []
    let wishes =
      reading.require.map { "require \($0)" } + (reading.unwraps ? ["unwrap"] : [])
      + (reading.wantsEmbed ? ["oembed"] : []) + reading.accepts.map { "accept \($0.text)" }
      + (reading.language.map { ["language \($0)"] } ?? []) + selection.wishes
      + (input.base.map { ["base \($0.href)"] } ?? [])
    let parts = [
      arguments.command.name, input.sources.map(origin).joined(separator: "\n"),
      "format \(input.sources.map(input.format).map(\.rawValue).joined(separator: ","))",
      "column \(input.columns.link ?? "")", "keep \(input.columns.keep.joined(separator: ","))",
      "select \(reading.select ?? "")", "settings \(FindingSettings.hash(arguments))",
    ]
    return (parts + wishes + delimiter).joined(separator: "\n")
  }

  private static func origin(_ source: InputPlan.Source) -> String {
    switch source {
    case .arguments(let links): "arguments \(links.joined(separator: " "))"
    case .standardInput: "standard input"
    case .file(let path): "file \(path)"
    }
  }
}

/// Measures for how long the ledger has failed, as when the disk is full: the run waits, and no job can be finished.
final class LedgerWatch: Sendable {
  /// A fault that passes sooner is not reported.
  private static let toleratedMilliseconds: Int64 = 1_000

  private struct State {
    /// Of the first failure of a row of them, by the monotonic clock.
    var since: Int64?
    var fault: LedgerError?
  }

  private let state = Lock(State())
  /// nil for a run at a terminal, which waits until the user ends it.
  private let timeoutMilliseconds: Int64?

  init(timeoutMilliseconds: Int64?) {
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  /// An interrupted run has nothing to wait for.
  var isStuck: Bool { waited() > Self.toleratedMilliseconds }

  /// Why the run is given up; nil as long as it is not.
  var givenUp: LedgerError? {
    guard let timeoutMilliseconds, waited() > timeoutMilliseconds else { return nil }
    return state.withLock { $0.fault }
  }

  private func waited() -> Int64 {
    let since = state.withLock { $0.since }
    return since.map { (SystemTime.monotonicMicroseconds - $0) / 1_000 } ?? 0
  }

  /// - Parameter fault: Of a commit or read that is repeated; nil once it succeeded.
  func fails(_ fault: LedgerError?) {
    state.withLock { state in
      state.since = fault == nil ? nil : state.since ?? SystemTime.monotonicMicroseconds
      state.fault = fault
    }
  }
}
