import JSONQuery

/// The story of a job for people, in lines.
struct JobText {
  let job: JSONValue

  var lines: [String] {
    var lines = [
      "\(job.text("kind"))  \(job.text("input"))", "job    \(job.text("id"))",
      "batch  \(job.text("batch")), ordinal \(job.text("ordinal"))",
    ]
    if let submitted = job["submitted"]?.string {
      lines.append("since  \(submitted), \(time(job, "age_ms")) ago")
    }
    lines.append("state  \(state)")
    lines += job["history"].map { $0.elements.map(attempt) } ?? []
    if let next = job["next"] { lines.append("next   \(expectation(next))") }
    lines += rowLines
    return lines
  }

  private var state: String {
    let state = job["error"]?.string.map { "\(job.text("state")): \($0)" } ?? job.text("state")
    let attempts = job["attempts"]?.int64 ?? 0
    let crashes = job["crashes"]?.int64 ?? 0
    var words = state
    if attempts > 0 { words += ", \(attempts) \(attempts == 1 ? "attempt" : "attempts")" }
    if crashes > 0 { words += ", \(crashes) \(crashes == 1 ? "worker" : "workers") died on it" }
    if let ended = job["ended"]?.string { words += ", ended \(ended)" }
    return words
  }

  /// `try 1  waited 884 ms, began 2026-11-22T08:49:38.004Z, 10 s at 0198…: timeout (first_byte)`, and why.
  private func attempt(_ attempt: JSONValue) -> String {
    var words = "try \(attempt.text("attempt"))  "
    if attempt["waited_ms"] != nil, attempt["waited_ms"]?.kind != .null {
      words += "waited \(time(attempt, "waited_ms")), "
    }
    words += "began \(attempt.text("began")), "
    if attempt["took_ms"] != nil { words += "\(time(attempt, "took_ms")) " }
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
    let inLine = next["waiting_for_host"]?.int64 ?? 0
    let others = inLine > 1 ? "; \(inLine) jobs wait for \(host) in memory" : ""
    switch next.text("waits_for") {
    case "retry": return "it is tried again in \(time(next, "in_ms")), at \(next.text("until"))"
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
      return "\(host) is given up for another \(time(next, "in_ms")): the job fails"
    case "host_pause": return "\(host) is asked again in \(time(next, "in_ms"))\(others)"
    case "room": return "the ledger's disk is full; 'halyard ledger prune' makes room"
    case "resumed_fleet": return "everything is paused; 'halyard resume --all' lets jobs start again"
    case "resumed_batch":
      return "its batch is paused; 'halyard resume \(job.text("batch"))' lets its jobs start again"
    case "resumed_host": return "\(host) is paused; 'halyard resume --host \(host)' lets its jobs start again"
    case "start": return "its batch starts in \(time(next, "in_ms")), at \(next.text("until"))"
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
    for hop in row["hops"]?.elements.map({ $0 }) ?? [] {
      lines.append(
        "hop    \(hop.text("status")) \(hop.text("url")), \(time(hop, "ms")), then \(hop.text("via"))")
    }
    if let url = row["url"]?.string {
      let status = row["http_status"].map { $0.kind == .null ? "" : "\($0.minified) " } ?? ""
      lines.append("end    \(status)\(url)")
    }
    if let title = row["title"]?.string { lines.append("title  \(title)") }
    if let error = row["error"], let message = error["message"]?.string { lines.append("why    \(message)") }
    return lines
  }

  private func time(_ value: JSONValue, _ name: String) -> String {
    value[name]?.int64.map { Elapsed.text($0) } ?? "-"
  }
}
