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
      var search = search(at: link.ports.clock.now)
      search.batch = batch?.id
      var pages = ListPages(JobListing(search), limit: arguments[JobOption.limit], from: link.client)
      return try await pages.show(arguments, "jobs", in: JobTable.lines)
    }
  }

  private func search(at now: Moment) -> JobSearch {
    var search = JobSearch()
    search.phase = arguments[JobOption.state]
    search.kind = arguments[JobOption.kind]
    search.host = arguments[JobOption.host]
    search.since = arguments[JobOption.since].map { now.advanced(byMilliseconds: -$0) }
    return search
  }
}

extension ListPages {
  init(_ listing: JobListing, limit: Int, from client: FleetClient) {
    var listing = listing
    self.init(limit: limit, most: JobSearch.mostFound) { limit in
      listing.search.limit = limit
      let page = try await client.ask(listing)
      listing.search.from = page.next
      return (page.lines.map(\.bytes), page.next == nil)
    }
  }
}

/// Jobs in columns.
enum JobTable {
  static func lines(_ jobs: [JSONValue]) -> [String] {
    let rows = jobs.map { job in
      [
        job.text("id"), job["error"]?.string.map { "\(job.text("state")): \($0)" } ?? job.text("state"),
        job.text("attempts"), job["age_ms"]?.int64.map { Elapsed.text($0) } ?? "-", job.text("input"),
      ].map { Printable.text($0) }
    }
    return TextColumns.lines([["JOB", "STATE", "TRIES", "AGE", "INPUT"]] + rows)
  }
}
