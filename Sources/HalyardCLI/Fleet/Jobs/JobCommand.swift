import JSONQuery
import Links
import Pipeline
import Posix
import Roles

/// The command `job`: one job by its id, or those of a link.
struct JobCommand {
  /// Jobs of a link that are counted.
  private static let mostCounted = 1_000

  let arguments: ParsedArguments
  let fleet: FleetLinkPlan

  private var text: String { arguments.operands[0] }

  func run() async throws -> ExitCode {
    guard let id = UUIDv7(text) else {
      do throws(LinkError) {
        _ = try WebURL.userInput(text)
      } catch {
        throw InputError(text, "this is neither the id of a job nor a link: \(error.message)")
      }
      return try await fleet.withLink { try await show(jobsOf: text, $0.client) }
    }
    return try await fleet.withLink { link in
      guard let story = try await link.client.ask(JobQuestion(JobID(id)))?.bytes else {
        throw InputError(text, "the fleet has no job of this id; 'halyard jobs' lists those that it has")
      }
      return try show(story)
    }
  }

  private func show(jobsOf address: String, _ client: FleetClient) async throws -> ExitCode {
    var pages = ListPages(JobListing(JobSearch(), link: address), limit: Self.mostCounted, from: client)
    let most = arguments[JobOption.stories]
    var (shown, others) = (0, 0)
    while let lines = try await pages.next() {
      for line in lines {
        guard shown < most else {
          others += 1
          continue
        }
        guard let id = try JSONDocument(parsing: line).root["id"]?.string.flatMap({ UUIDv7($0) }),
          let story = try await client.ask(JobQuestion(JobID(id)))?.bytes
        else { continue }
        if shown > 0, !arguments[FleetOption.json] { try DescriptorSink().write([UInt8(ascii: "\n")]) }
        try show(story)
        shown += 1
      }
    }
    guard shown > 0 else {
      throw InputError(
        text, "the fleet has no job of this link; 'halyard jobs --host HOST' lists those of a host")
    }
    guard others > 0 || pages.mayHaveMore else { return .ok }
    let count = "\(pages.mayHaveMore ? "at least " : "")\(others)"
    Message.show(
      "halyard: \(count) more \(others == 1 ? "job has" : "jobs have") this link; show them with --limit\n")
    return .ok
  }

  @discardableResult
  private func show(_ story: [UInt8]) throws -> ExitCode {
    try arguments.show(
      json: story + [UInt8(ascii: "\n")], lines: JobText(job: JSONDocument(parsing: story).root).lines)
  }
}

/// The story of a job for people, in lines.
struct JobText {
  let job: JSONValue

  var lines: [String] {
    var lines = [
      "\(job.text("kind"))  \(job.text("input"))", "job    \(job.text("id"))",
      "batch  \(job.text("batch")), ordinal \(job.text("ordinal"))",
    ]
    if let submitted = job["submitted"]?.string {
      lines.append("since  \(submitted), \(job.elapsed("age_ms")) ago")
    }
    lines.append("state  \(state)")
    lines += job.list("history").map(attempt)
    if let next = job["next"] { lines.append("next   \(expectation(next))") }
    lines += rowLines
    return lines
  }

  private var state: String {
    let attempts = job.number("attempts")
    let crashes = job.number("crashes")
    var words = job.stateOfJob
    if attempts > 0 { words += ", \(attempts) \(attempts == 1 ? "attempt" : "attempts")" }
    if crashes > 0 { words += ", \(crashes) \(crashes == 1 ? "worker" : "workers") died on it" }
    if let ended = job["ended"]?.string { words += ", ended \(ended)" }
    return words
  }

  /// `try 1  waited 884 ms, began 2026-11-22T08:49:38.004Z, 10 s at 0198…: timeout (first_byte)`, and why.
  private func attempt(_ attempt: JSONValue) -> String {
    var words = "try \(attempt.text("attempt"))  "
    if attempt["waited_ms"] != nil, attempt["waited_ms"]?.kind != .null {
      words += "waited \(attempt.elapsed("waited_ms")), "
    }
    words += "began \(attempt.text("began")), "
    if attempt["took_ms"] != nil { words += "\(attempt.elapsed("took_ms")) " }
    if let worker = attempt["worker"]?.string { words += "at \(worker)" }
    words += ": "
    switch attempt.text("end") {
    case "crashed": words += "its worker died"
    case "under_way": words += "under way"
    case let end:
      guard let error = attempt["error"] else { return words + end }
      words += "\(error.text("kind")) (\(error.text("stage"))): \(error.text("message"))"
    }
    return words
  }

  private func expectation(_ next: JSONValue) -> String {
    let host = next["host"]?.string ?? job.text("host")
    let inLine = next.number("waiting_for_host")
    let others = inLine > 1 ? "; \(inLine) jobs wait for \(host) in memory" : ""
    switch next.text("waits_for") {
    case "retry": return "it is tried again in \(next.elapsed("in_ms")), at \(next.text("until"))"
    case "worker": return "the worker \(next.text("worker")) ends it"
    case "row": return "it gets a copy of the row of \(next.text("job")), which asks for the same"
    case "calls": return "it ends with its calls"
    case "cancellation": return "it ends, because its batch is cancelled: \(next.text("cause"))"
    case "restart": return "nothing more is given out until the aggregator starts again"
    case "other_suspects":
      let count = next["suspects"]?.int64 ?? 1
      return
        "a worker may have died of it: it waits for its turn among \(count) such jobs, which run in groups"
    case "given_up_host":
      return "\(host) is given up for another \(next.elapsed("in_ms")): the job fails"
    case "host_pause": return "\(host) is asked again in \(next.elapsed("in_ms"))\(others)"
    case "room": return "the ledger's disk is full; 'halyard ledger prune' makes room"
    case "resumed_fleet": return "everything is paused; 'halyard resume --all' lets jobs start again"
    case "resumed_batch":
      return "its batch is paused; 'halyard resume \(job.text("batch"))' lets its jobs start again"
    case "resumed_host": return "\(host) is paused; 'halyard resume --host \(host)' lets its jobs start again"
    case "start": return "its batch starts in \(next.elapsed("in_ms")), at \(next.text("until"))"
    case "batch_limit": return "its batch has as many jobs under way, or started, as it may have"
    case "host": return "\(next.text("under_way")) jobs are under way at \(host), and no more may be\(others)"
    case "fetcher": return "it waits for a fetcher with free credit\(others)"
    default: return "it waits for its turn\(others)"
    }
  }

  private var rowLines: [String] {
    guard let row = job["row"] else {
      return job["row_bytes"].map {
        $0.kind == .null ? [] : ["row    of \($0.minified) bytes; see 'halyard results'"]
      }
        ?? []
    }
    var lines: [String] = []
    for hop in row.list("hops") {
      lines.append(
        "hop    \(hop.text("status")) \(hop.text("url")), \(hop.elapsed("ms")), then \(hop.text("via"))")
    }
    if let url = row["url"]?.string {
      let status = row["http_status"].map { $0.kind == .null ? "" : "\($0.minified) " } ?? ""
      lines.append("end    \(status)\(url)")
    }
    if let title = row["title"]?.string { lines.append("title  \(title)") }
    if let error = row["error"], let message = error["message"]?.string { lines.append("why    \(message)") }
    return lines
  }
}
