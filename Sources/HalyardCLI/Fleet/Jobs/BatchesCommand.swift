import JSONQuery
import Pipeline
import Roles

/// The command `batches`.
struct BatchesCommand {
  let arguments: ParsedArguments
  let fleet: FleetLinkPlan

  func run() async throws -> ExitCode {
    try await fleet.withLink { link in
      var search = search(at: link.ports.clock.now)
      var pages = ListPages(limit: arguments[BatchOption.limit], most: BatchSearch.mostFound) { limit in
        search.limit = limit
        let page = try await link.client.ask(search)
        search.from = page.next
        return (page.lines.map(\.bytes), page.next == nil)
      }
      return try await pages.show(arguments, "batches", in: BatchTable.lines)
    }
  }

  private func search(at now: Moment) -> BatchSearch {
    var search = BatchSearch()
    search.state = arguments[BatchOption.state]
    search.name = arguments[BatchOption.name]
    search.since = arguments[BatchOption.since].map { now.advanced(byMilliseconds: -$0) }
    search.before = arguments[BatchOption.olderThan].map { now.advanced(byMilliseconds: -$0) }
    search.isUnread = arguments[BatchOption.unread]
    return search
  }
}

/// Batches in columns.
enum BatchTable {
  static func lines(_ batches: [JSONValue]) -> [String] {
    TextColumns.lines(
      [["BATCH", "AGE", "JOBS", "DONE", "FAILED", "CANCELLED", "OPEN"]]
        + batches.map { batch in
          // Every command takes the name too.
          [
            batch["name"]?.string.map { Printable.text($0) } ?? batch.text("id"),
            batch["age_ms"]?.int64.map { Elapsed.text($0) } ?? "-",
          ] + ["total", "done", "failed", "cancelled", "open"].map { batch.text($0) } + marks(of: batch)
        })
  }

  /// What is unusual of a batch.
  private static func marks(of batch: JSONValue) -> [String] {
    var marks = ["abandoned", "paused"].filter { batch[$0] != nil }
    if batch["weight"] != nil { marks.append("priority \(batch.text("weight"))") }
    if batch["at_most"] != nil { marks.append("at most \(batch.text("at_most"))") }
    if batch["rate"] != nil { marks.append(batch.text("rate")) }
    if batch["starts_at"] != nil { marks.append("from \(batch.text("starts_at"))") }
    if batch["deadline"] != nil { marks.append("until \(batch.text("deadline"))") }
    return marks.isEmpty ? [] : [marks.joined(separator: ", ")]
  }
}
