import Pipeline
import Scheduling

/// An order about many jobs, which are looked for in the ledger, a page in each transaction.
struct JobSweep: Sendable {
  enum Verb: Hashable, Sendable {
    /// Dead letters get another life. They failed in one of these ways; in any when none is named.
    case requeue(Set<FailureKind>)
    case cancel(cause: String)
  }

  typealias Found = (id: JobID, batch: BatchID)

  var ask: Ask
  var choice: JobChoice
  var verb: Verb
  /// Where the next page begins.
  private var place: JobSearch.Place?
  private(set) var isLast = false
  var jobs: UInt64 = 0
  /// A part of it is committed: the rest follows, also when the client gave up.
  var hasBegun = false

  init(_ ask: Ask, _ choice: JobChoice, _ verb: Verb) {
    (self.ask, self.choice, self.verb) = (ask, choice, verb)
  }

  mutating func next(in ledger: any Ledger) async throws -> [Found] {
    if let job = choice.job {
      isLast = true
      let history = try await ledger.story(of: job)?.history
      return [history].compactMap(\.self).filter(wants).map { ($0.job.id, $0.job.batch) }
    }
    var search = JobSearch()
    (search.batch, search.host, search.since, search.from) = (choice.batch, choice.host, choice.since, place)
    search.limit = Backlog.page
    if case .requeue = verb { search.phase = .failed }
    let page = try await ledger.jobs(search)
    (place, isLast) = (page.next, page.next == nil)
    return page.items.filter(wants).map { ($0.job.id, $0.job.batch) }
  }

  private func wants(_ history: LedgerJob) -> Bool {
    // A call ends with its run.
    guard !history.job.batch.isOfCalls else { return false }
    switch verb {
    case .cancel: return !history.life.isOver
    case .requeue(let kinds):
      guard JobPhase(history.life.state) == .failed else { return false }
      return kinds.isEmpty || history.failure.map(kinds.contains) ?? false
    }
  }
}

extension Aggregator {
  func sweep(_ transaction: inout Transaction, at now: Moment) async throws {
    sweeps.removeAll { !$0.hasBegun && $0.ask.isLate(at: now) }
    guard let first = sweeps.first else { return }
    // A cancel that is under way is done first: what it cancels stays cancelled.
    if case .requeue = first.verb, cancelling.contains(where: { first.choice.batch ?? $0.id == $0.id }) {
      return
    }
    let (sweep, found) = try await read { ledger in
      var sweep = first
      let found = try await sweep.next(in: ledger)
      return (sweep, found)
    }
    switch sweep.verb {
    case .requeue:
      var cancelled = Set(found.map(\.batch)).filter { interruptions[$0] != nil }
      if !sweep.hasBegun, let batch = sweep.choice.wholeBatch { cancelled.insert(batch) }
      transaction.add(requeueOf: found.map(\.id), resuming: cancelled.sorted(), sweep)
    case .cancel(let cause):
      let jobs = try await cancel(found.map(\.id), cause: cause, &transaction, at: now)
      // Memory has let go of them, so this cannot be dropped any more.
      sweeps[0].hasBegun = true
      transaction.swept = Transaction.SweptPage(sweep: sweep, jobs: jobs)
    }
  }

  /// - Returns: How many of them are cancelled.
  private func cancel(
    _ ids: [JobID], cause: String, _ transaction: inout Transaction, at now: Moment
  ) async throws -> Int {
    let over = transaction.settled
    // Those of a batch that is cancelled as a whole were counted then.
    let open = try await read { try await $0.page(JobQuery(.ids(ids))) }.items.filter {
      !over.contains($0.job.id) && interruptions.cancellation(of: $0.job.batch)?.everything != true
    }
    // Those that wait for another's row first, or each leader's end would make a leader of the next.
    var ordered: [LedgerJob] = []
    for wantsWaiting in [true, false] {
      for job in open where (dispatcher.jobs[job.job.id]?.isWaiting ?? false) == wantsWaiting {
        ordered.append(job)
      }
    }
    for open in ordered {
      if let entry = dispatcher.jobs[open.job.id] {
        end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &transaction, at: now)
      } else if let run = runs[open.job.id] {
        end(run, .cancelled, .cancelled(cause), &transaction, at: now)
      } else {
        endUnseen(open, .cancelled, .cancelled(cause), &transaction, at: now)
      }
    }
    return open.count
  }

  /// A page of it is in the ledger.
  func swept(_ page: Transaction.SweptPage, at now: Moment) {
    guard !sweeps.isEmpty else { return }
    for batch in page.resumed {
      interruptions.withdrawn(batch)
      cancelling.removeAll { $0.id == batch }
    }
    // Not from the answers: a commit that seemed to fail can have done it, and then its repetition did nothing.
    let jobs = sweeps[0].jobs + UInt64(page.jobs)
    sweeps[0] = page.sweep
    (sweeps[0].jobs, sweeps[0].hasBegun) = (jobs, true)
    if case .requeue = page.sweep.verb {
      // A host that is still dead is given up again by one job, also in the middle of many pages. Redirects lead the jobs of
      // one host to others, so it is not known which of them the jobs are for.
      if !page.sweep.hasBegun { dispatcher.health.forgive(at: now) }
      backlog.leftOutSome(at: now)
      // The cancellation that is withdrawn here had removed retries from memory.
      backlog.leftOutRetry(at: now)
      runs.mayWait = true
      sharesAreStale = true
    }
    guard page.sweep.isLast else { return }
    let done = sweeps.removeFirst()
    say(done.jobs, to: done.ask)
  }
}
