import JSONQuery
import Links
import Pipeline
import Scheduling

/// What became of jobs and batches.
extension Aggregator {
  func story(of id: JobID) async throws(LedgerError) -> RawJSON? {
    guard let story = try await ledger.story(of: id) else { return nil }
    let now = ports.clock.now
    return RawJSON(of: JobReport(story, expectation(of: story.history, at: now), at: now))
  }

  /// What is next for a job; nil when it is over.
  private func expectation(of history: LedgerJob, at now: Moment) -> JobReport.Expectation? {
    let job = history.job
    guard !history.life.isOver else { return nil }
    if let cause = interruptions[job.batch] {
      var next = JobReport.Expectation("cancellation", at: now)
      next.cause = cause
      return next
    }
    if dispatcher.isDraining { return .init("restart", at: now) }
    switch history.life.state {
    case .waiting: return .init("calls", at: now)
    case .scheduled(let moment): return .init("retry", until: moment, at: now)
    case .ready, .leased, .over:
      let standing = dispatcher.standing(of: job.id, in: job.batch, host: history.host, at: now)
      return .init(standing, inLine: dispatcher.waiting(forHost: history.host), at: now)
    }
  }

  func list(_ search: BatchSearch) async throws(LedgerError) -> BatchSearch.Reply {
    var search = search
    search.limit = min(max(search.limit, 1), BatchSearch.mostFound)
    let page = try await ledger.batches(.listed(search))
    let now = ports.clock.now
    return ReportPage(lines: page.items.map { RawJSON(of: BatchReport($0, at: now)) }, next: page.next)
  }

  func list(_ listing: JobListing) async throws(LedgerError) -> JobListing.Reply {
    var search = listing.search
    search.limit = min(search.limit, JobSearch.mostFound)
    var link: WebURL?
    if let text = listing.link {
      guard let parsed = try? WebURL.userInput(text) else { return ReportPage(lines: [], next: nil) }
      let key = LinkKey(host: parsed.hostKey, link: parsed.href).value
      (link, search.keys) = (parsed, key...key)
    }
    let page = try await ledger.jobs(search)
    // Other links may have the same key.
    let jobs = page.items.filter { history in
      link.map { wanted in (try? Intake.link(of: history.job)) == wanted } ?? true
    }
    let now = ports.clock.now
    return ReportPage(lines: jobs.map { RawJSON(of: JobEntry($0, at: now)) }, next: page.next)
  }
}
