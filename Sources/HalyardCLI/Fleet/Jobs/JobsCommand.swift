import JSONQuery
import Pipeline
import Posix
import Roles

/// The command `jobs`: asks for one page after another.
struct JobsCommand {
  private let arguments: ParsedArguments
  private let batch: BatchText?
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) {
    self.arguments = arguments
    batch = arguments[JobOption.batch].map { BatchText($0) }
    self.fleet = fleet
  }

  func run() async throws -> ExitCode {
    try await fleet.withLink { link in
      if let batch, try await link.client.progress(of: batch.id) == nil { throw batch.unknown }
      let printsJSON = arguments[FleetOption.json]
      var pages = JobPages(search(at: link.ports.clock.now), limit: arguments[JobOption.limit])
      var table: [JSONValue] = []
      while let lines = try await pages.next(from: link.client) {
        if printsJSON {
          for line in lines { try DescriptorSink(.json).write(line + [UInt8(ascii: "\n")]) }
        } else {
          for line in lines { table.append(try JSONDocument(parsing: line).root) }
        }
      }
      if !printsJSON { try DescriptorSink(.drawn).write(Array(JobTable(table).text.utf8)) }
      if pages.mayHaveMore {
        Message.show("halyard: there are more jobs; show them with a larger --limit\n")
      }
      return .ok
    }
  }

  private func search(at now: Moment) -> JobSearch {
    var search = JobSearch()
    search.batch = batch?.id
    search.phase = arguments[JobOption.state]
    search.kind = arguments[JobOption.kind]
    search.host = arguments[JobOption.host]
    search.since = arguments[JobOption.since].map { now.advanced(byMilliseconds: -$0) }
    return search
  }
}

/// Pages of jobs up to a limit. A page may be empty, and not the last.
struct JobPages {
  private var listing: JobListing
  private var left: Int
  private var isLast = false
  /// The limit was reached before the end.
  private(set) var mayHaveMore = false

  init(_ search: JobSearch, link: String? = nil, limit: Int) {
    listing = JobListing(search, link: link)
    left = limit
  }

  /// The lines of the next page; nil after the last.
  mutating func next(from client: FleetClient) async throws -> [[UInt8]]? {
    guard !isLast else { return nil }
    // One more than is wanted tells whether there are more.
    listing.search.limit = min(JobSearch.mostFound, left + 1)
    let page = try await client.jobs(listing)
    try Task.checkCancellation()
    let lines = page.lines.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    listing.search.from = page.next
    mayHaveMore = lines.count > left
    isLast = page.next == nil || mayHaveMore
    defer { left -= min(left, lines.count) }
    return Array(lines.prefix(left))
  }
}

/// Jobs in columns.
struct JobTable {
  private let jobs: [JSONValue]

  init(_ jobs: [JSONValue]) {
    self.jobs = jobs
  }

  var text: String {
    let rows = jobs.map { job in
      [
        job.text("id"), job["error"]?.string.map { "\(job.text("state")): \($0)" } ?? job.text("state"),
        job.text("attempts"), job["age_ms"]?.int64.map { Elapsed.text($0) } ?? "-", job.text("input"),
      ].map { Printable.text($0) }
    }
    let lines = TextColumns.lines([["JOB", "STATE", "TRIES", "AGE", "INPUT"]] + rows)
    return lines.map { "\($0)\n" }.joined()
  }
}
