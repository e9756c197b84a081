package import Pipeline

/// The ledger of one-shot runs and tests. It forgets a job when its row has been confirmed, a dead letter too, so it
/// stays as small as what is under way.
package actor MemoryLedger: Ledger {
  private(set) var open = OpenJobs()
  /// Jobs whose rows are kept: submitting them again must not run them again.
  private var over: [JobID: Job] = [:]
  /// Those of them that can be requeued, each with the number of its row.
  private(set) var dead: [JobID: (letter: OpenJob, row: UInt64, host: String)] = [:]
  var batches: [BatchID: MemoryBatch] = [:]
  private var batchesEver: UInt64 = 0
  /// Paused hosts and batches, and all.
  var pauses: [PauseScope: Pause] = [:]
  private var seen: [WorkerID: Moment] = [:]
  private var greatestToken = LeaseToken(0)
  /// Batches without jobs that were cancelled or closed since such were forgotten last.
  private var jobless = 0
  private let retellsCalls: Bool
  /// nil when no one will ask.
  private(set) var chronicle: Chronicle?

  /// - Parameter retellsCalls: Whether an aggregator may come that did not see how the calls of a run ended, or that is
  ///   asked what became of jobs. Without one nothing is kept of a call that is over, and no job's story.
  package init(retellsCalls: Bool = true) {
    self.retellsCalls = retellsCalls
    chronicle = retellsCalls ? Chronicle() : nil
  }

  package nonisolated var isInstant: Bool { true }

  package func commit(_ events: [LedgerEvent], at now: Moment) -> [LedgerAnswer] {
    var refused: Set<Address> = []
    defer { forgetJobless() }
    return events.map { event in
      let answer = apply(event, at: now, &refused)
      if chronicle != nil, answer == .applied, let id = event.job {
        chronicle?.note(event, open[id], at: now)
      }
      return answer
    }
  }

  package func openJobs(_ which: JobSelection, after id: JobID?, limit: Int) -> [OpenJob] {
    open.page(after: id, limit: limit) { which.contains($0) }
  }

  package func openJobs(_ ids: [JobID]) -> [OpenJob] { ids.compactMap { open[$0] } }

  package func readyBatches(after batch: BatchID?, limit: Int) -> [BatchID] {
    let last = batch.flatMap { batches[$0]?.serial } ?? 0
    let waiting = open.batches().compactMap { id in batches[id].map { (id: id, serial: $0.serial) } }
    let found = waiting.filter { $0.serial > last }.sorted { $0.serial < $1.serial }.lazy.filter { batch in
      !self.readyJobs(ReadyWish(batch.id, perHost: 1, limit: 1)).items.isEmpty
    }
    return found.prefix(limit).map(\.id)
  }

  package func readyJobs(_ wish: ReadyWish) -> ReadyPage {
    var choice = ReadyChoice(wish)
    var next: ReadyPlace? = wish.from
    while let place = next, !choice.isDone {
      next = open.offer(place, of: wish.batch, to: &choice)
    }
    return ReadyPage(
      choice.groups.map { group in
        ReadyGroup(host: group.host, jobs: group.ids.compactMap { open[$0] }, isCut: group.isCut)
      }, next: next)
  }

  package func readyJobs(of batch: BatchID, host: String, after id: JobID?, limit: Int) -> HostPage {
    let jobs = open.ready(of: batch, host: host, after: id, limit: limit)
    return HostPage(jobs, next: jobs.count < limit ? nil : jobs.last?.job.id ?? id)
  }

  package func deadJobs(of batch: BatchID?, after id: JobID?, limit: Int) -> [JobID] {
    let chosen = dead.filter { key, entry in
      (batch.map { entry.letter.job.batch == $0 } ?? true) && (id.map { key > $0 } ?? true)
    }
    return Array(chosen.keys.sorted().prefix(limit))
  }

  package func failures(of jobs: [JobID]) -> [JobID: FailureKind] {
    Dictionary(
      jobs.compactMap { id in
        dead[id].flatMap { batches[$0.letter.job.batch]?.failure(ofRow: $0.row) }.map { (id, $0) }
      }, uniquingKeysWith: { $1 })
  }

  package func rows(of batch: BatchID, after number: UInt64, limit: Int, bytes: Int) -> [NumberedRow] {
    batches[batch]?.rows(after: number, limit: limit, bytes: bytes) ?? []
  }

  package func progress(of batch: BatchID) -> BatchProgress? { batches[batch]?.counters.progress }

  package func summary(batches limit: Int) -> LedgerSummary {
    var jobs = open.counts
    jobs.dead = dead.count
    return LedgerSummary(jobs: jobs, batches: newestBatches().map(\.batch)).first(limit)
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

  package func lastSeen() -> [WorkerID: Moment] {
    guard let newest = seen.values.max() else { return [:] }
    let oldest = newest.advanced(byMilliseconds: -LedgerEvent.unseenWorkersKeptMilliseconds)
    return seen.filter { $0.value >= oldest }
  }

  package func lastToken() -> LeaseToken { greatestToken }

  /// All its workers are in its process, so none needs to be kept from guessing.
  package func leaseKey() -> LeaseKey { LeaseKey(high: 0, low: 0) }
}

extension MemoryLedger {
  private func apply(
    _ event: LedgerEvent, at now: Moment, _ refused: inout Set<Address>
  ) -> LedgerAnswer {
    switch event {
    case .submit(let jobs, let hosts, let links, let sender):
      return submit(jobs, hosts, links, from: sender, at: now, &refused)
    case .close(let id, let total, let sender):
      if let sender, refused.contains(sender) { return .stale }
      defer { noteJobless(id) }
      return answer(change(id, at: now) { $0.counters.close(total) })
    case .terms(let id, let terms, let sender, let total):
      if let sender, refused.contains(sender) { return .stale }
      batches[id]?.counters.take(terms, from: sender, ofJobs: total)
      return batches[id].map { .terms($0.counters.terms, isPaused: $0.counters.progress.isPaused) } ?? .stale
    case .pause(let scope, let pause): return answer(set(pause, of: scope))
    case .unpause(let scope, let moment): return answer(set(nil, of: scope, dueBy: moment))
    case .cancel(let id, let cancellation):
      defer { noteJobless(id) }
      return .cancelled(jobs: change(id, at: now) { $0.counters.cancel(cancellation) })
    case .resume(let id): return answer(batches[id]?.counters.resume() ?? false)
    case .abandon(let id): return answer(batches[id]?.counters.abandon() ?? false)
    case .grant(let id, let lease, let worker):
      guard open.change(id, holder: worker, { $0.granted(lease) }) != nil else { return .stale }
      greatestToken = max(greatestToken, lease.token.unsealed)
      return .applied
    case .settle(let settlement):
      if let sender = settlement.sender, refused.contains(sender) { return .stale }
      return answer(settle(settlement, at: now))
    case .retry(let id, let token, let moment, cause: _):
      return answer(open.change(id) { $0.failedForNow(under: token, retryAt: moment) } != nil)
    case .becameDue(let id): return answer(open.change(id) { $0.becameDue() } != nil)
    case .giveBack(let id, let token): return answer(open.change(id) { $0.returned(under: token) } != nil)
    case .crash(let id, let token): return answer(open.change(id) { $0.crashed(under: token) } != nil)
    case .absolve(let id, let crashes):
      return answer(open.change(id) { $0.absolved(from: crashes) } != nil)
    case .confirmRows(let id, let number): return answer(confirm(id, upTo: number, at: now))
    case .requeue(let id): return answer(requeue(id, at: now))
    case .seen(let worker):
      if seen.updateValue(now, forKey: worker) == nil { seen = lastSeen() }
      return .applied
    }
  }

  private func noteJobless(_ id: BatchID) {
    if batches[id]?.isJobless == true { jobless += 1 }
  }

  private func forgetJobless() {
    guard jobless >= LedgerEvent.emptyBatchesKept else { return }
    jobless = 0
    let all = batches.filter(\.value.isJobless).sorted { $0.value.serial < $1.value.serial }
    for (id, _) in all.dropLast(LedgerEvent.emptyBatchesKept) { batches[id] = nil }
  }

  private func answer(_ applies: Bool) -> LedgerAnswer {
    applies ? .applied : .stale
  }

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

  private func submit(
    _ jobs: [Job], _ hosts: [String], _ links: [LinkKey?], from sender: Address?, at now: Moment,
    _ refused: inout Set<Address>
  ) -> LedgerAnswer {
    if let sender, refused.contains(sender) { return .inserted(0) }
    var new: [JobID: Job] = [:]
    var differing: DifferingJobs?
    for job in jobs {
      guard let known = open[job.id]?.job ?? over[job.id] ?? new[job.id] else {
        new[job.id] = job
        continue
      }
      guard !known.asks(theSameAs: job) else { continue }
      differing = .sum(differing, DifferingJobs(count: 1, first: job.ordinal))
    }
    if let differing {
      if let sender { refused.insert(sender) }
      return .inserted(0, differing: differing)
    }
    let count = new.count
    for (index, job) in jobs.enumerated() {
      let isNew = new.removeValue(forKey: job.id) != nil
      change(job.batch, at: now) { $0.counters.add(jobs: isNew ? 1 : 0, at: now) }
      guard isNew else { continue }
      let (new, host) = (OpenJob(job: job, life: job.firstLife), index < hosts.count ? hosts[index] : "")
      open.insert(new, host: host)
      chronicle?.submitted(
        new, host: host, key: index < links.count ? links[index] : nil,
        serial: batches[job.batch]?.serial ?? 0, at: now)
    }
    return .inserted(count)
  }

  private func settle(_ settlement: Settlement, at now: Moment) -> Bool {
    let host = open.host(of: settlement.job)
    let ended = open.change(settlement.job) { life in
      settlement.lease.map { life.ended(settlement.end, under: $0) } ?? life.ended(settlement.end)
    }
    guard let ended else { return false }
    guard retellsCalls || !ended.job.batch.isOfCalls else {
      change(ended.job.batch, at: now) { $0.counters.settled(settlement.end) }
      return true
    }
    over[ended.job.id] = ended.job
    var number: UInt64 = 0
    change(ended.job.batch, at: now) { number = $0.append(settlement, ordinal: ended.job.ordinal) }
    if settlement.end == .dead { dead[ended.job.id] = (ended, number, host) }
    return true
  }

  private func requeue(_ id: JobID, at now: Moment) -> Bool {
    guard let (letter, row, host) = dead.removeValue(forKey: id) else { return false }
    var again = letter
    guard again.life.requeued(to: again.job.firstLife) else { return false }
    again.job.deadline = nil
    over[id] = nil
    change(again.job.batch, at: now) { $0.withdraw(row: row) }
    open.insert(again, host: host)
    return true
  }

  private func confirm(_ id: BatchID, upTo number: UInt64, at now: Moment) -> Bool {
    guard let jobs = batches[id]?.confirm(upTo: number) else { return false }
    batches[id]?.changedAt = now
    drop(jobs)
    return true
  }

  func drop(_ jobs: [JobID]) {
    for job in jobs {
      over[job] = nil
      dead[job] = nil
    }
    chronicle?.forget(jobs)
  }
}
