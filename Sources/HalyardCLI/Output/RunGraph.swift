import JSONQuery
import Pipeline

/// How far the steps of a run are, on a line of a terminal: `list ok  users 7/12  names …`.
struct RunGraph: Sendable {
  let width: Int

  /// Draws anew what has changed.
  ///
  /// - Parameters:
  ///   - status: An aggregator's report.
  ///   - job: The run's job; nil for the only one.
  func show(_ status: [UInt8], of job: JobID?) {
    guard let line = Self.line(status, of: job, width: width) else { return }
    Console.standardError.draw { line }
  }

  /// nil when the report knows nothing of it.
  static func line(_ status: [UInt8], of job: JobID?, width: Int) -> String? {
    guard let root = try? JSONDocument(parsing: status).root, let runs = root["runs"]?.elements else {
      return nil
    }
    let run = runs.first { job == nil || $0["job"]?.string == job?.description }
    guard let steps = run?["steps"]?.elements else { return nil }
    let line = steps.map { step in "\(Printable.text(step["name"]?.string ?? "")) \(words(of: step))" }
      .joined(separator: "  ")
    return DisplayWidth.of(line) > width ? DisplayWidth.fit(line, to: width) : line
  }

  private static func words(of step: JSONValue) -> String {
    switch step["phase"]?.string {
    case "waiting": "…"
    case "done": "ok"
    case "running":
      "\(ProgressLine.grouped(Int(step["ended"]?.int64 ?? 0)))/\(ProgressLine.grouped(Int(step["calls"]?.int64 ?? 0)))"
    case let other: Printable.text(other ?? "")
    }
  }
}
