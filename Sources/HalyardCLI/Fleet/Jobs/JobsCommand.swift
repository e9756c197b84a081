import JSONQuery
import Pipeline
import Roles

/// The command `jobs`.
struct JobsCommand {
  let arguments: ParsedArguments
  let fleet: FleetLinkPlan

  func run() async throws -> ExitCode {
    let batch = arguments[JobOption.batch].map { BatchText($0) }
    return try await fleet.withLink { link in
      if let batch, try await link.client.progress(of: batch.id) == nil { throw batch.unknown }
      var search = JobSearch()
      search.batch = batch?.id
      search.phase = arguments[JobOption.state]
      search.kind = arguments[JobOption.kind]
      search.host = arguments[JobOption.host]
      search.since = arguments.moment(before: link.ports.clock.now, JobOption.since)
      var pages = ListPages(JobListing(search), limit: arguments[JobOption.limit], from: link.client)
      return try await pages.show(arguments, "jobs", in: JobTable.lines)
    }
  }
}

extension ParsedArguments {
  /// The time that so long ago was as an option says; nil when it is not given.
  func moment(before now: Moment, _ option: Option<Int64?>) -> Moment? {
    self[option].map { now.advanced(byMilliseconds: -$0) }
  }
}

extension ListPages {
  init(_ listing: JobListing, limit: Int, from client: FleetClient) {
    var listing = listing
    self.init(limit: limit, most: JobSearch.mostFound) { limit in
      listing.search.limit = limit
      let page = try await client.ask(listing)
      listing.search.from = page.next
      return (page.items.map(\.bytes), page.next == nil)
    }
  }
}

/// Jobs in columns.
enum JobTable {
  static func lines(_ jobs: [JSONValue]) -> [String] {
    let rows = jobs.map { job in
      [
        job.text("id"), job.stateOfJob, job.text("attempts"), job.elapsed("age_ms"), job.text("input"),
      ].map { Printable.text($0) }
    }
    return TextColumns.lines([["JOB", "STATE", "TRIES", "AGE", "INPUT"]] + rows)
  }
}

/// The command `batches`.
struct BatchesCommand {
  let arguments: ParsedArguments
  let fleet: FleetLinkPlan

  func run() async throws -> ExitCode {
    try await fleet.withLink { link in
      let now = link.ports.clock.now
      var search = BatchSearch()
      search.state = arguments[BatchOption.state]
      search.name = arguments[BatchOption.name]
      search.since = arguments.moment(before: now, BatchOption.since)
      search.before = arguments.moment(before: now, BatchOption.olderThan)
      search.isUnread = arguments[BatchOption.unread]
      var pages = ListPages(limit: arguments[BatchOption.limit], most: BatchSearch.mostFound) { limit in
        search.limit = limit
        let page = try await link.client.ask(search)
        search.from = page.next
        return (page.items.map(\.bytes), page.next == nil)
      }
      return try await pages.show(arguments, "batches", in: BatchTable.lines)
    }
  }
}

/// Batches in columns.
enum BatchTable {
  static func lines(_ batches: [JSONValue]) -> [String] {
    TextColumns.lines(
      [["BATCH", "AGE", "JOBS", "DONE", "FAILED", "CANCELLED", "OPEN"]]
        + batches.map { batch in
          // Every command takes the name too.
          [batch["name"]?.string.map { Printable.text($0) } ?? batch.text("id"), batch.elapsed("age_ms")]
            + ["total", "done", "failed", "cancelled", "open"].map { batch.text($0) } + marks(of: batch)
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

/// Pages of a list up to a limit. A page may be empty, and not the last.
struct ListPages {
  /// Asks for the next page, of so many lines at most; tells whether it is the last.
  typealias Ask = (_ limit: Int) async throws -> (lines: [[UInt8]], isLast: Bool)

  private let ask: Ask
  private let most: Int
  private var left: Int
  private var isLast = false
  /// The limit was reached before the end.
  private(set) var mayHaveMore = false

  /// - Parameter most: Lines of a page.
  init(limit: Int, most: Int, _ ask: @escaping Ask) {
    (left, self.most, self.ask) = (limit, most, ask)
  }

  /// The lines of the next page; nil after the last.
  mutating func next() async throws -> [[UInt8]]? {
    guard !isLast else { return nil }
    // One more than is wanted tells whether there are more.
    let page = try await ask(min(most, left + 1))
    try Task.checkCancellation()
    mayHaveMore = page.lines.count > left
    isLast = page.isLast || mayHaveMore
    defer { left -= min(left, page.lines.count) }
    return Array(page.lines.prefix(left))
  }

  /// Prints what is left: JSON as it comes, or a table at the end.
  mutating func show(
    _ arguments: ParsedArguments, _ things: String, in table: ([JSONValue]) -> [String]
  ) async throws -> ExitCode {
    var values: [JSONValue] = []
    while let lines = try await next() {
      for line in lines {
        if arguments[FleetOption.json] {
          try DescriptorSink(.json).write(line + [UInt8(ascii: "\n")])
        } else {
          values.append(try JSONDocument(parsing: line).root)
        }
      }
    }
    // JSON is printed already.
    try arguments.show(json: [], lines: table(values))
    if mayHaveMore { Message.show("halyard: there are more \(things); show them with a larger --limit\n") }
    return .ok
  }
}
