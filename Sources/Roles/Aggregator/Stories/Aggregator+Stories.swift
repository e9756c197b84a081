import JSONQuery
import Links
import Pipeline
import Scheduling

/// What became of jobs. Such questions are answered one in a turn, after the commit: each reads from the ledger, and
/// nothing is to wait for many of them.
extension Aggregator {
  /// A client that finds no room asks again.
  static let mostStoryQuestions = 64

  func noteStoryQuestion(_ query: Query) {
    guard storyQuestions.count < Self.mostStoryQuestions, !storyQuestions.contains(query) else { return }
    storyQuestions.append(query)
  }

  func answerStoryQuestion() async {
    guard !storyQuestions.isEmpty else { return }
    let query = storyQuestions.removeFirst()
    do {
      switch query.question {
      case .job(let id): connections.add(.answer(try await tell(id)), to: query.replyTo)
      case .jobs(let listing): connections.add(.answer(try await list(listing, query)), to: query.replyTo)
      case .batches(let search):
        connections.add(.answer(try await list(search, query)), to: query.replyTo)
      case .rows, .copies, .status, .progress, .requeue, .cancel, .care, .storedRows, .drain, .scale,
        .fetchOptions, .pause, .resume, .change:
        break
      }
    } catch {
      ports.log.record(.warning, "question not answered", [LogField("cause", error.message)])
    }
  }

  private func tell(_ id: JobID) async throws(LedgerError) -> Answer {
    guard let story = try await ledger.story(of: id) else { return .job(id, nil) }
    let now = ports.clock.now
    let report = JobReport(story: story, now: now, expectation: expectation(of: story.history, at: now))
    return .job(id, report.json)
  }

  /// What is next for a job; nil when it is over.
  private func expectation(of history: JobHistory, at now: Moment) -> JobReport.Expectation? {
    let job = history.job
    guard !history.life.isOver else { return nil }
    if let cause = interruptions[job.batch] { return .cancellation(cause) }
    if dispatcher.hasEnded { return .end }
    switch JobPhase(history.life.state) {
    case .waiting: return .calls
    case .scheduled, .ready, .leased, .done, .failed, .cancelled: break
    }
    if case .scheduled(let moment) = history.life.state { return .retry(at: moment) }
    let standing = dispatcher.standing(of: job.id, in: job.batch, host: history.host, at: now)
    return .standing(standing, inLine: dispatcher.waiting(forHost: history.host))
  }

  private func list(_ search: BatchSearch, _ query: Query) async throws(LedgerError) -> Answer {
    var search = search
    search.limit = min(max(search.limit, 1), BatchSearch.mostFound)
    let page = try await ledger.batches(search)
    let now = ports.clock.now
    let lines = page.items.flatMap { batch in
      JSONWriter.line(reservingCapacity: 256) { batch.write(to: &$0, at: now) }
    }
    return .batches(lines, next: page.next, to: query.id)
  }

  private func list(_ listing: JobListing, _ query: Query) async throws(LedgerError) -> Answer {
    var search = listing.search
    search.limit = min(search.limit, JobSearch.mostFound)
    var link: WebURL?
    if let text = listing.link {
      guard let parsed = try? WebURL.userInput(text) else { return .jobs([], next: nil, to: query.id) }
      let key = LinkKey(host: parsed.hostKey, link: parsed.href).value
      (link, search.keys) = (parsed, key...key)
    }
    let page = try await ledger.jobs(search)
    // Other links may have the same key.
    let jobs = page.items.filter { history in
      link.map { wanted in (try? Intake.link(of: history.job)) == wanted } ?? true
    }
    let now = ports.clock.now
    return .jobs(jobs.flatMap { JobReport.line($0, at: now) }, next: page.next, to: query.id)
  }
}
