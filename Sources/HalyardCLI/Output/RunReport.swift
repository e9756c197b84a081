import JSONQuery
import Pipeline
import Posix
import Roles

struct RunReport {
  private let row: [UInt8]
  private let root: JSONValue

  init(_ row: [UInt8]) throws {
    self.row = row
    root = try JSONDocument(parsing: row, limits: .around).root
  }

  /// Everything, as a line.
  var wholeRow: [UInt8] { row + [UInt8(ascii: "\n")] }

  /// What was gathered, as a line; nil when nothing was.
  var gathered: [UInt8]? { root["value"].map { Array("\($0.minified)\n".utf8) } }

  /// What was gathered, as a page; nil when nothing was.
  var page: [UInt8]? {
    root["value"].map { Array(GatheredPage(value: $0, title: root["input"]?.string ?? "Gathered").html.utf8) }
  }

  func tell() -> ExitCode {
    let steps = root["steps"]?.members.map { ($0.key, $0.value) } ?? []
    for (name, step) in steps { tell(of: name, step) }
    guard let error = root["error"] else { return .ok }
    let failures = steps.compactMap { $0.1["error"].map(Self.words) }
    if !failures.contains(Self.words(error)) { tell(Self.words(error)) }
    return .someFailed
  }

  private func tell(of name: String, _ step: JSONValue) {
    for note in step["notes"]?.elements.compactMap(\.string) ?? [] { tell("\(name): \(note)") }
    for call in step["left_out"]?.elements.map({ $0 }) ?? [] {
      let message = call["error"]?["message"]?.string ?? ""
      tell("\(name): left out ordinal \(call.text("ordinal")): \(message)")
    }
    if let error = step["error"] { tell("\(name): \(Self.words(error))") }
    if let cause = step["because"]?.string { tell("\(name): not done, because \(cause) failed") }
  }

  private static func words(_ error: JSONValue) -> String {
    let (kind, message) = (error["kind"]?.string ?? "failed", error["message"]?.string ?? "")
    return message.hasPrefix("\(kind):") ? message : "\(kind): \(message)"
  }

  private func tell(_ words: String) {
    Message.show("halyard: \(Printable.text(words))\n")
  }
}

/// Where a run's output goes, and a page of it. Both are opened before any server is called, so an unwritable file is
/// reported before the work, not after it.
struct RunFiles {
  private let output: any ByteSink
  private let page: (any ByteSink)?

  /// - Parameters:
  ///   - output: A file's path; nil for standard output.
  ///   - page: A file's path; nil for no page.
  init(output: String?, page: String?) throws(OutputError) {
    self.output = try ReplacingSink.opened(output, .json)
    do throws(OutputError) {
      if let page { self.page = try ReplacingSink.opened(page, .text) } else { self.page = nil }
    } catch {
      _ = self.output.breakOff(keepingRows: false)
      throw error
    }
  }

  /// Writes what a run left; a file for which there is nothing stays as it was.
  ///
  /// - Parameter whole: All of the row, and not only what was gathered.
  func write(_ report: RunReport, whole: Bool) throws(OutputError) {
    if let page { try Self.write(report.page, to: page) }
    try Self.write(whole ? report.wholeRow : report.gathered, to: output)
  }

  /// There is nothing to write: files stay as they were.
  func breakOff() {
    for sink in [output, page].compactMap(\.self) { _ = sink.breakOff(keepingRows: false) }
  }

  private static func write(_ bytes: [UInt8]?, to sink: any ByteSink) throws(OutputError) {
    guard let bytes else {
      _ = sink.breakOff(keepingRows: false)
      return
    }
    try sink.write(bytes)
    try sink.finish()
  }
}

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

/// Tells which hosts were given up, and how many jobs that cost.
enum GivenUpText {
  /// Such as `cost 28 jobs (a.test 20, b.test 5, 2 others 3); see --give-up`.
  ///
  /// - Parameter others: How many hosts there are besides the worst; nil when that is not known.
  static func words(jobs: Int, worst: [GivenUpHosts.Host], others: Int?) -> String {
    var parts = worst.map { "\(Printable.text($0.name)) \(ProgressLine.grouped($0.jobs))" }
    let rest = worst.reduce(jobs) { $0 &- $1.jobs }
    if rest > 0 {
      let count = others.map { "\(ProgressLine.grouped($0)) " } ?? ""
      parts.append("\(count)\(others == 1 ? "other" : "others") \(ProgressLine.grouped(rest))")
    }
    let noun = jobs == 1 ? "job" : "jobs"
    return "cost \(ProgressLine.grouped(jobs)) \(noun) (\(parts.joined(separator: ", "))); see --give-up"
  }
}

extension NumberedRow {
  /// The host that was given up, where the job ended for that.
  var givenUpHost: String? {
    // No host is given up for what cannot pass, and few rows are worth looking into.
    guard let failure, failure.traits.retryClass != .never else { return nil }
    return errorMember("given_up")
  }

  /// The address whose refusal ended the job.
  var blockedPlace: String? {
    failure == .blockedAddress ? errorMember("refused_address") : nil
  }

  private func errorMember(_ name: String) -> String? { try? JSONValue(row: json)["error"]?[name]?.string }
}

/// Addresses that were refused, as `--allow-address` takes them; a few of them, because there may be as many as rows.
struct BlockedPlaces: Hashable, Sendable {
  private static let limit = 3

  private(set) var shown: [String] = []
  private(set) var hasMore = false

  mutating func add(_ place: String) {
    guard !shown.contains(place) else { return }
    if shown.count < Self.limit { shown.append(place) } else { hasMore = true }
  }

  /// What to type to reach them; nil when there are none.
  var remedy: String? {
    guard !shown.isEmpty else { return nil }
    let options = shown.map { "--allow-address \($0)" }.joined(separator: " ")
    return "allow them with \(options)\(hasMore ? " …" : "")"
  }
}
