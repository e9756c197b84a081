package import Pipeline

/// The ledger of one-shot runs and tests. It forgets a job when its row has been confirmed, a dead letter too, so it
/// stays as small as what is under way.
package actor MemoryLedger: Ledger {
  /// Those that are over, too, while their rows are kept: submitting them again must not run them again.
  private(set) var jobs = MemoryJobs()
  var batches: [BatchID: MemoryBatch] = [:]
  private var batchesEver: UInt64 = 0
  /// Paused hosts and batches, and all.
  var pauses: [PauseScope: Pause] = [:]
  private var seen: [WorkerID: Moment] = [:]
  private var greatestToken = LeaseToken(0)
  /// Batches without jobs that were cancelled or closed since such were forgotten last.
  private var jobless = 0
  private let retellsCalls: Bool

  /// - Parameter retellsCalls: Whether an aggregator may come that did not see how the calls of a run ended. Without one
  ///   nothing is kept of a call that is over.
  package init(retellsCalls: Bool = true) {
    self.retellsCalls = retellsCalls
  }

  package nonisolated var isInstant: Bool { true }

  package func commit(_ changes: Changes, at now: Moment) -> ChangesMade {
    var made = ChangesMade()
    var refused: [Address: Set<BatchID>] = [:]
    for submission in changes.submissions { made.submissions.append(take(submission, &refused, at: now)) }
    for change in changes.jobs { made.jobs.append(apply(change, at: now)) }
    for change in changes.batches { made.batches.append(apply(change, at: now)) }
    for worker in changes.seen where seen.updateValue(now, forKey: worker) == nil { seen = lastSeen() }
    forgetJobless()
    return made
  }

  package func openJobs(_ which: JobSelection, after id: JobID?, limit: Int) -> [OpenJob] {
    var (first, last) = (id, nil as JobID?)
    if case .of(let batch) = which {
      let start = JobID(batch: batch, ordinal: 0).predecessor
      (first, last) = (max(id ?? start, start), JobID(batch: batch, ordinal: .max))
    }
    return jobs.page(after: first, through: last, limit: limit) { which.contains($0) }.map(\.open)
  }

  package func openJobs(_ ids: [JobID]) -> [OpenJob] {
    ids.compactMap { jobs[$0] }.filter { !$0.state.life.isOver }.map(\.open)
  }

  package func readyBatches(after batch: BatchID?, limit: Int) -> [BatchID] {
    let last = batch.flatMap { batches[$0]?.serial } ?? 0
    var found: [BatchID] = []
    for (id, known) in batches.sorted(by: { $0.value.serial < $1.value.serial })
    where known.serial > last && known.counters.open > 0 && found.count < limit {
      if !jobs.ready(of: id, after: nil, limit: 1).isEmpty { found.append(id) }
    }
    return found
  }

  package func readyJobs(_ wish: ReadyWish) -> ReadyPage {
    var choice = ReadyChoice(wish)
    var next: ReadyPlace? = wish.from
    while let place = next, !choice.isDone { next = jobs.offer(place, of: wish.batch, to: &choice) }
    return ReadyPage(
      choice.groups.map { group in
        ReadyGroup(host: group.host, jobs: group.ids.compactMap { jobs[$0]?.open }, isCut: group.isCut)
      }, next: next)
  }

  package func readyJobs(of batch: BatchID, host: String, after id: JobID?, limit: Int) -> HostPage {
    let page = jobs.ready(of: batch, after: id, limit: limit, host: host)
    return HostPage(page.map(\.open), next: page.count < limit ? nil : page.last?.job.id ?? id)
  }

  /// By its row.
  func failure(of job: MemoryJob) -> FailureKind? {
    job.row.flatMap { batches[job.job.batch]?.failure(ofRow: $0) }
  }

  package func rows(of batch: BatchID, after number: UInt64, limit: Int, bytes: Int) -> [NumberedRow] {
    batches[batch]?.rows(after: number, limit: limit, bytes: bytes) ?? []
  }

  package func progress(of batch: BatchID) -> BatchProgress? { batches[batch]?.counters.progress }

  package func summary(batches limit: Int) -> LedgerSummary {
    LedgerSummary(jobs: jobs.counts, batches: newestBatches().map(\.batch)).first(limit)
  }

  package func batches(_ search: BatchSearch) -> BatchPage {
    let looked = newestBatches(through: search.from ?? .max).prefix(BatchSearch.mostLooked)
    return BatchPage(Array(looked), for: search)
  }

  private func newestBatches(through place: Int64 = .max) -> [(place: Int64, batch: LedgerSummary.Batch)] {
    let shown = batches.filter { id, batch in !id.isPassing && !id.isOfCalls && batch.serial <= place }
    return shown.sorted { $0.value.serial > $1.value.serial }.map { id, batch in
      (Int64(clamping: batch.serial), batch.counters.summary(id: id))
    }
  }

  package func cancellations() -> [KnownCancellation] {
    batches.compactMap { id, batch in
      batch.counters.cancellation.map {
        KnownCancellation(id, $0, hasOpenJobs: batch.counters.open > 0)
      }
    }
  }

  package func unfinishedBatches(before moment: Moment, limit: Int) -> [BatchID] {
    let unfinished = batches.filter { id, batch in
      batch.counters.isUnfinished && batch.counters.submittedAt < moment && !id.isOfCalls
    }
    return Array(unfinished.sorted { $0.value.serial < $1.value.serial }.map(\.key).prefix(limit))
  }

  private func lastSeen() -> [WorkerID: Moment] {
    guard let newest = seen.values.max() else { return [:] }
    let oldest = newest.advanced(byMilliseconds: -Changes.unseenWorkersKeptMilliseconds)
    return seen.filter { $0.value >= oldest }
  }

  /// All its workers are in its process, so none needs to be kept from guessing tokens.
  package func inheritance() -> Inheritance {
    Inheritance(lastToken: greatestToken, leaseKey: LeaseKey(high: 0, low: 0), lastSeen: lastSeen())
  }
}

extension MemoryLedger {
  /// All of a submission that are new, or none of it.
  private func take(_ submission: JobsIn, _ refused: inout [Address: Set<BatchID>], at now: Moment)
    -> Insertion
  {
    var made = Insertion()
    if let sender = submission.sender, refused[sender]?.contains(submission.batch) == true { return made }
    var new: [JobID: Job] = [:]
    for item in submission.jobs {
      guard let known = jobs[item.job.id]?.job ?? new[item.job.id] else {
        new[item.job.id] = item.job
        continue
      }
      guard !known.asks(theSameAs: item.job) else { continue }
      made.differing = .sum(made.differing, DifferingJobs(count: 1, first: item.job.ordinal))
    }
    guard made.differing == nil else {
      if let sender = submission.sender { refused[sender, default: []].insert(submission.batch) }
      return made
    }
    made.count = new.count
    for item in submission.jobs {
      let isNew = new.removeValue(forKey: item.job.id) != nil
      change(item.job.batch, at: now) { $0.counters.add(jobs: isNew ? 1 : 0, at: now) }
      guard isNew, let serial = batches[item.job.batch]?.serial else { continue }
      jobs.insert(MemoryJob(item, serial: serial, at: now))
    }
    made.ends = submission.ends.map { apply(JobChange($0), at: now) }
    if let total = submission.total {
      made.isClosed = change(submission.batch, at: now) { $0.counters.close(total) }
      noteJobless(submission.batch)
    }
    guard let terms = submission.terms else { return made }
    batches[submission.batch]?.counters.take(terms, from: submission.sender, ofJobs: submission.total)
    guard let counters = batches[submission.batch]?.counters else { return made }
    (made.terms, made.isPaused) = (counters.terms, counters.progress.isPaused)
    return made
  }

  /// - Returns: False when it came too late.
  private func apply(_ change: JobChange, at now: Moment) -> Bool {
    guard let batch = jobs[change.job]?.job.batch, let effect = jobs.change(change, at: now) else {
      return false
    }
    if case .granted(let lease, to: _) = change.event {
      greatestToken = max(greatestToken, lease.token.unsealed)
    }
    switch effect {
    case .nothing: break
    case .attempted(let attempt): jobs[change.job]?.add(attempt)
    case .forgetsDeath:
      jobs[change.job]?.attempts.lastIndex { $0.failure == nil }.map {
        _ = jobs[change.job]?.attempts.remove(at: $0)
      }
    case .over(let settlement):
      guard retellsCalls || !batch.isOfCalls else {
        self.change(batch, at: now) { $0.counters.settled(settlement.end) }
        jobs.remove(change.job)
        break
      }
      jobs[change.job]?.row = self.change(batch, at: now) { $0.append(settlement) }
    case .anew:
      if let row = jobs[change.job]?.row { self.change(batch, at: now) { $0.withdraw(row: row) } }
      jobs[change.job]?.begins()
    }
    return true
  }

  private func apply(_ change: BatchChange, at now: Moment) -> BatchAnswer {
    func answer(_ applies: Bool) -> BatchAnswer { applies ? .applied : .stale }
    switch change {
    case .terms(let id, let terms):
      batches[id]?.counters.take(terms, from: nil, ofJobs: nil)
      return answer(batches[id] != nil)
    case .pause(let scope, let pause): return answer(set(pause, of: scope))
    case .unpause(let scope, let moment): return answer(set(nil, of: scope, dueBy: moment))
    case .cancel(let id, let cancellation):
      defer { noteJobless(id) }
      return .cancelled(jobs: self.change(id, at: now) { $0.counters.cancel(cancellation) })
    case .resume(let id): return answer(batches[id]?.counters.resume() ?? false)
    case .abandon(let id): return answer(batches[id]?.counters.abandon() ?? false)
    case .confirmRows(let id, let number):
      guard let gone = batches[id]?.confirm(upTo: number) else { return .stale }
      batches[id]?.changedAt = now
      drop(gone)
      return .applied
    }
  }

  private func noteJobless(_ id: BatchID) {
    if batches[id]?.isJobless == true { jobless += 1 }
  }

  private func forgetJobless() {
    guard jobless >= Changes.emptyBatchesKept else { return }
    jobless = 0
    let all = batches.filter(\.value.isJobless).sorted { $0.value.serial < $1.value.serial }
    for (id, _) in all.dropLast(Changes.emptyBatchesKept) { batches[id] = nil }
  }

  @discardableResult
  private func change<Answer>(
    _ id: BatchID, at now: Moment, _ body: (inout MemoryBatch) -> Answer
  ) -> Answer {
    defer { batches[id]?.changedAt = now }
    return body(&batches[id, default: newBatch(at: now)])
  }

  private func newBatch(at now: Moment) -> MemoryBatch {
    batchesEver += 1
    return MemoryBatch(serial: batchesEver, at: now)
  }

  func drop(_ gone: [JobID]) {
    for id in gone { jobs.remove(id) }
  }
}
