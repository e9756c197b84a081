import JSONQuery
import Pipeline
import Posix
import Roles

/// The command `batches`: asks for one page after another.
struct BatchesCommand {
  private let arguments: ParsedArguments
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) {
    (self.arguments, self.fleet) = (arguments, fleet)
  }

  func run() async throws -> ExitCode {
    try await fleet.withLink { link in
      var search = search(at: link.ports.clock.now)
      var left = arguments[BatchOption.limit]
      var table: [JSONValue] = []
      var hasMore = true
      while hasMore {
        // One more than is wanted tells whether there are more.
        search.limit = min(BatchSearch.mostFound, left + 1)
        let page = try await link.client.batches(search)
        try Task.checkCancellation()
        let lines = page.lines.split(separator: UInt8(ascii: "\n"))
        for line in lines.prefix(left) {
          if arguments[FleetOption.json] {
            try DescriptorSink(.json).write(Array(line) + [UInt8(ascii: "\n")])
          } else {
            table.append(try JSONDocument(parsing: Array(line)).root)
          }
        }
        guard lines.count <= left else { break }
        left -= lines.count
        (search.from, hasMore) = (page.next, page.next != nil)
      }
      if !arguments[FleetOption.json] {
        let text = BatchTable(table).lines.map { "\(Printable.text($0))\n" }.joined()
        try DescriptorSink(.drawn).write(Array(text.utf8))
      }
      if hasMore { Message.show("halyard: there are more batches; show them with a larger --limit\n") }
      return .ok
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
struct BatchTable {
  private let batches: [JSONValue]

  init(_ batches: [JSONValue]) {
    self.batches = batches
  }

  var lines: [String] {
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
  private func marks(of batch: JSONValue) -> [String] {
    var marks = ["abandoned", "paused"].filter { batch[$0] != nil }
    if batch["weight"] != nil { marks.append("priority \(batch.text("weight"))") }
    if batch["at_most"] != nil { marks.append("at most \(batch.text("at_most"))") }
    if batch["rate"] != nil { marks.append(batch.text("rate")) }
    if batch["starts_at"] != nil { marks.append("from \(batch.text("starts_at"))") }
    if batch["deadline"] != nil { marks.append("until \(batch.text("deadline"))") }
    return marks.isEmpty ? [] : [marks.joined(separator: ", ")]
  }
}
