import Pipeline

/// An order about many jobs, which are looked for in the ledger, a page in each transaction. A pure value.
struct JobSweep: Sendable {
  enum Scope: Sendable {
    /// What is open of a cancelled batch, behind a job.
    case batch(BatchID, after: JobID?)
    /// Single ones, and whether they were looked for before.
    case jobs([JobID: Bool])
    case choice(JobChoice, from: JobSearch.Place?)
  }

  enum Verb: Hashable, Sendable {
    /// Dead letters get another life. They failed in one of these ways; in any when none is named.
    case requeue(Set<FailureKind>)
    case cancel(BatchCancellation)
  }

  private(set) var scope: Scope
  let verb: Verb
  /// Who hears how many jobs there were: the client that made the choice.
  let ask: Ask?
  /// Pages that were read.
  private(set) var pages = 0
  private(set) var isLast = false
  var jobs: UInt64 = 0
  /// A part of it is committed: the rest follows, also when the client gave up.
  var hasBegun = false

  /// Single jobs that are waited for, and causes that they may have. Wishes beyond are dropped, because producers repeat
  /// theirs.
  private static let mostJobs = 10_000
  fileprivate static let mostCauses = 16

  init(_ scope: Scope, _ verb: Verb, for ask: Ask? = nil) {
    (self.scope, self.verb, self.ask) = (scope, verb, ask)
  }

  /// An operator wants room made by it, or jobs left alone; what pings and calls leave behind has time.
  var cancels: Bool {
    guard case .cancel = verb else { return false }
    return switch scope {
    case .batch(let batch, after: _): !batch.isPassing
    case .choice(let choice, from: _): choice.batch?.isPassing != true
    case .jobs: false
    }
  }

  /// Those that it is about, as the ledger has them.
  mutating func next(in ledger: any Ledger) async throws -> [LedgerJob] {
    pages += 1
    switch scope {
    case .batch(let batch, let last):
      let page = try await ledger.page(JobQuery(.of(batch), after: last, limit: Backlog.page))
      (scope, isLast) = (.batch(batch, after: page.next), page.next == nil)
      return page.items
    case .jobs(var wishes):
      let ids = Array(wishes.keys.sorted().prefix(Backlog.page))
      let found = try await ledger.page(JobQuery(.ids(ids))).items
      let open = Set(found.map(\.id))
      // What is not there may be on its way, in the transaction of this turn.
      for id in ids { wishes[id] = open.contains(id) || wishes[id] == true ? nil : true }
      (scope, isLast) = (.jobs(wishes), wishes.isEmpty)
      return found
    case .choice(let choice, let place):
      if let job = choice.job {
        isLast = true
        return [try await ledger.story(of: job)?.history].compactMap(\.self).filter(wants)
      }
      var search = JobSearch()
      (search.batch, search.host, search.since) = (choice.batch, choice.host, choice.since)
      (search.from, search.limit) = (place, Backlog.page)
      if case .requeue = verb { search.phase = .failed }
      let page = try await ledger.jobs(search)
      (scope, isLast) = (.choice(choice, from: page.next), page.next == nil)
      return page.items.filter(wants)
    }
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

  /// The batch that is chosen as a whole.
  var wholeBatch: BatchID? { if case .choice(let choice, _) = scope { choice.wholeBatch } else { nil } }

  func ends(_ batch: BatchID) -> Bool { if case .batch(batch, _) = scope { true } else { false } }

  /// A cancel that is under way is done first: what it cancels stays cancelled.
  func waits(for other: JobSweep) -> Bool {
    guard case .requeue = verb, case .choice(let choice, _) = scope, case .batch(let batch, _) = other.scope
    else { return false }
    return choice.batch ?? batch == batch
  }

  var isOfSingleJobs: Bool { if case .jobs = scope { true } else { false } }

  /// It ends the job once that is in the ledger.
  func awaits(_ id: JobID) -> Bool { if case .jobs(let wishes) = scope { wishes[id] != nil } else { false } }

  mutating func add(_ ids: [JobID]) {
    guard case .jobs(var wishes) = scope else { return }
    for id in ids where wishes.count < Self.mostJobs { wishes[id] = wishes[id] ?? false }
    scope = .jobs(wishes)
  }
}

extension [JobSweep] {
  /// Single jobs are to be cancelled: those with one cause together.
  mutating func add(_ jobs: [JobID], _ verb: JobSweep.Verb) {
    let known = firstIndex { $0.isOfSingleJobs && $0.verb == verb }
    guard known != nil || count(where: \.isOfSingleJobs) < JobSweep.mostCauses else { return }
    var sweep = known.map { remove(at: $0) } ?? JobSweep(.jobs([:]), verb)
    sweep.add(jobs)
    append(sweep)
  }

  /// The one whose page is read now. Those of clients are carried out one after another, and beside them what producers want
  /// and what follows of cancelled batches: of all these the one with the fewest pages, so that none waits for the end of a
  /// long one.
  var next: Int? {
    let client = firstIndex { $0.ask != nil }
    return indices.filter { index in
      self[index].ask == nil || index == client && !contains(where: self[index].waits)
    }.min { self[$0].pages < self[$1].pages }
  }
}

/// What is done bit by bit beside the jobs themselves. A pure value.
struct Chores: Sendable {
  /// Orders about many jobs.
  var sweeps: [JobSweep] = []
  var care = LedgerCare()
  /// When to forget old batches.
  var nextUpkeep: Moment?
  /// When to look for batches whose producers are gone.
  var nextSearchForAbandoned: Moment?

  var nextWake: Moment? {
    guard sweeps.isEmpty else { return Moment(unixMilliseconds: .min) }
    return [nextUpkeep, nextSearchForAbandoned, care.next].compactMap(\.self).min()
  }
}

/// Orders about many jobs, a page in each transaction.
extension Aggregator {
  func sweep(_ transaction: inout Transaction, at now: Moment) async throws {
    chores.sweeps.removeAll { !$0.hasBegun && $0.ask?.isLate(at: now) ?? false }
    guard let index = chores.sweeps.next else { return }
    var (sweep, found) = try await read { [sweep = chores.sweeps[index]] ledger in
      var sweep = sweep
      let found = try await sweep.next(in: ledger)
      return (sweep, found)
    }
    switch sweep.verb {
    case .requeue:
      var cancelled = Set(found.map(\.job.batch)).filter { interruptions[$0] != nil }
      if !sweep.hasBegun, let batch = sweep.wholeBatch { cancelled.insert(batch) }
      for batch in cancelled.sorted() { transaction.add(.resume(batch)) }
      for open in found { transaction.add(open.id, .requeued) }
    case .cancel(let cancellation):
      found = cancel(found, cancellation, by: sweep, &transaction, at: now)
    }
    // Not by the answers: a commit that seemed to fail can have done it, and then its repetition does nothing.
    sweep.jobs += UInt64(found.count)
    chores.sweeps[index] = sweep
    transaction.swept = sweep
    guard sweep.isLast, sweep.ask == nil else { return }
    chores.sweeps.remove(at: index)
    if case .batch(let batch, _) = sweep.scope { dispatcher.stop(batch, false, at: now) }
  }

  /// - Returns: Those of them that are cancelled, as far as nothing else of this turn has ended them.
  private func cancel(
    _ found: [LedgerJob], _ cancellation: BatchCancellation, by sweep: JobSweep,
    _ transaction: inout Transaction, at now: Moment
  ) -> [LedgerJob] {
    // All that workers are on is ended at once: their windows bound its number.
    if case .batch(let batch, _) = sweep.scope, sweep.pages == 1, cancellation.everything {
      for entry in dispatcher.underWay(of: batch) {
        cancel(entry, because: cancellation.cause, &transaction, at: now)
      }
    }
    // What this turn ended stands in the ledger as it was, and an end that comes too late leaves it open: so it is ended here
    // all the same, which changes nothing where it is over.
    let over = transaction.settled
    let open = found.filter { open in
      // Those of a batch that is cancelled as a whole were counted then.
      let isCounted = sweep.ask != nil && interruptions.cancellation(of: open.job.batch)?.everything == true
      return !isCounted && isOurs(open)
    }
    // Those that wait for another's row first, or each leader's end would make a leader of the next.
    for open in open.filter(isWaiting) + open.filter({ !isWaiting($0) }) {
      if let entry = dispatcher.jobs[open.job.id] {
        guard !entry.isLeased || cancellation.everything else { continue }
        cancel(entry, because: cancellation.cause, &transaction, at: now)
      } else if let run = runs[open.job.id] {
        end(run, .cancelled(cancellation.cause), &transaction, at: now)
      } else {
        transaction.end(
          Settlement(of: open.job, failing: .cancelled(cancellation.cause), attempts: open.life.attempts))
      }
    }
    return open.filter { !over.contains($0.job.id) }
  }

  private func isWaiting(_ open: LedgerJob) -> Bool {
    if case .waiting? = dispatcher.jobs[open.job.id]?.place { true } else { false }
  }

  /// Ends a job that memory has, and tells the worker that is on it.
  func cancel(
    _ entry: Dispatcher.Entry, because cause: String, _ transaction: inout Transaction, at now: Moment
  ) {
    end(entry, .cancelled(cause, after: entry.lastFailure), &transaction, at: now)
  }

  /// What is open of a batch is wanted again.
  func resumed(_ batch: BatchID, at now: Moment) {
    interruptions.withdrawn(batch)
    chores.sweeps.removeAll { $0.ends(batch) }
    dispatcher.stop(batch, false, at: now)
  }

  /// A page is in the ledger.
  func swept(_ page: JobSweep, at now: Moment) {
    if case .requeue = page.verb {
      // A host that is still dead is given up again by one job, also in the middle of many pages. Redirects lead the jobs of
      // one host to others, so it is not known which of them the jobs are for.
      if !page.hasBegun { dispatcher.forgive(at: now) }
      backlog.leftOutSome(at: now)
      // Retries that were due while their batch was cancelled were passed over.
      backlog.leftOutRetry(at: now)
      runs.mayWait = true
      sharing.isStale = true
    }
    guard let ask = page.ask, let index = chores.sweeps.firstIndex(where: { $0.ask == ask }) else { return }
    chores.sweeps[index].hasBegun = true
    guard page.isLast else { return }
    say(chores.sweeps.remove(at: index).jobs, to: ask)
  }
}
