package import Pipeline

/// The ledger of one-shot runs and tests. It forgets a job when its row has been confirmed, a dead letter too, so it
/// stays as small as what is under way.
package actor MemoryLedger: Ledger {
  /// A batch, and which job has which row until that is confirmed.
  private struct Batch {
    var known: LedgerBatch
    var changedAt: Moment
    var rows: [UInt64: JobID] = [:]

    mutating func append(_ settlement: Settlement) -> NumberedRow {
      known.settled(settlement.end)
      let number = known.progress.rows
      rows[number] = settlement.job
      return NumberedRow(
        number: number, ordinal: settlement.ordinal, failure: settlement.failure, json: settlement.row)
    }
  }

  /// Those that are over, too, while their rows are kept: submitting them again must not run them again.
  private var jobs: [JobID: (story: JobStory, link: LinkKey?)] = [:]
  private var index = JobIndex()
  private var batches: [BatchID: Batch] = [:]
  private var batchesEver: Int64 = 0
  /// Of hosts, and of everything.
  private var pauses: [PauseScope: Pause] = [:]
  private var seen: [WorkerID: Moment] = [:]
  private var waits: [String: HostWait] = [:]
  /// Those that have passed are dropped when there are so many.
  private var mostWaits = 1_000
  private var greatestToken = LeaseToken(0)
  private var ownership = LedgerOwner()
  /// Changes of batches without jobs since such were forgotten last.
  private var jobless = 0
  private let retellsCalls: Bool

  /// - Parameter retellsCalls: Whether an aggregator may come that did not see how the calls of a run ended. Without one
  ///   nothing is kept of a call that is over.
  package init(retellsCalls: Bool = true) {
    self.retellsCalls = retellsCalls
  }

  package nonisolated var isInstant: Bool { true }

  package func page(_ query: JobQuery) -> JobPage {
    if case .ids(let ids) = query.what {
      return JobPage(ids.compactMap { jobs[$0]?.story.history }.filter { !$0.life.isOver })
    }
    let blocks = index.blocks(in: query.phases, of: query)
    let known = blocks.lazy.flatMap { $0.sorted() }.compactMap { [jobs] in jobs[$0]?.story.history }
    return JobPage(known.filter(query.wants), limit: query.limit, place: \.id)
  }

  package func readyJobs(_ wish: ReadyWish) -> ReadyPage {
    var (choice, next) = (ReadyChoice(wish), nil as ReadyPlace?)
    let query = JobQuery(.of(wish.batch), after: JobID(batch: wish.batch, startOf: wish.from.block))
    reading: for ids in index.blocks(in: [.ready], of: query) {
      let block = ids[0].readyBlock
      let ready = ids.map { (host: jobs[$0]?.story.history.host ?? "", id: $0) }
      let first = block == wish.from.block ? wish.from.host : ""
      var skipped: String?
      choice.beginBlock()
      for job in ready.sorted(by: <) where job.host >= first && job.host != skipped {
        switch choice.offer(job.id, of: job.host) {
        case .next: continue
        case .skipHost: skipped = job.host
        case .stop:
          next = ReadyPlace(block: block, host: job.host)
          break reading
        }
      }
      if choice.isDone {
        next = ReadyPlace(block: block + 1)
        break
      }
    }
    return choice.page(next: next) { ids in ids.compactMap { jobs[$0]?.story.history } }
  }

  package func jobs(_ search: JobSearch) -> FoundJobs {
    let found = jobs.values.filter { search.wants($0.story.history, link: $0.link) }.map(\.story.history)
    return FoundJobs(found.map { (batches[$0.job.batch]?.known.serial ?? 0, $0) }, for: search)
  }

  package func story(of id: JobID) -> JobStory? { jobs[id]?.story }

  package func oldestJobs() -> [JobPhase: Moment] {
    let open = index.blocks(in: JobPhase.open).joined().compactMap { jobs[$0]?.story.history }
    return Dictionary(open.map { ($0.phase, $0.submittedAt) }, uniquingKeysWith: min)
  }

  package func rows(of batch: BatchID, after number: UInt64, limit: Int, bytes: Int) -> [NumberedRow] {
    guard let known = batches[batch] else { return [] }
    var (page, room) = ([NumberedRow](), bytes)
    var next = max(number, known.known.confirmed)
    while next < known.known.progress.rows, page.count < limit, room > 0 {
      next += 1
      guard let row = known.rows[next].flatMap({ jobs[$0]?.story.row }) else { continue }
      page.append(row)
      room -= row.json.count
    }
    return page
  }

  package func progress(of batch: BatchID) -> BatchProgress? { batches[batch]?.known.progress }

  package func summary(batches limit: Int) -> LedgerSummary {
    let shown = inOrder.reversed().map(\.known).filter(\.id.isShown)
    return LedgerSummary(jobs: index.counts, batches: shown).first(limit)
  }

  package func batches(_ query: BatchQuery) -> BatchPage {
    var ready: Set<BatchID> = []
    if case .ready = query {
      ready = Set(index.blocks(in: [.ready]).compactMap { jobs[$0[0]]?.story.history.job.batch })
    }
    let found = inOrder.map(\.known).filter { query.wants($0, hasReadyJobs: ready.contains($0.id)) }
    guard case .listed(let search) = query else {
      return BatchPage(found, limit: query.limit, place: \.serial)
    }
    return BatchPage(found.reversed().prefix(query.limit), for: search)
  }

  /// In the order in which they came.
  private var inOrder: [Batch] { batches.values.sorted { $0.known.serial < $1.known.serial } }

  package func shares() -> KnownShares {
    KnownShares(inOrder.lazy.map(\.known), pauses: pauses)
  }

  package func owner() -> LedgerOwner { ownership }

  /// All its workers are in its process, so none needs to be kept from guessing tokens.
  package func takeOver(as holder: UUIDv7, at now: Moment, longestPause: Int64) -> Inheritance {
    ownership.takeOver(as: holder, at: now)
    var left = Inheritance(
      ownership.term, lastToken: greatestToken, leaseKey: LeaseKey(high: 0, low: 0), lastSeen: seen)
    left.waits = waits.compactMapValues { $0.left(at: now) }
    return left
  }

  package func renew(_ term: LedgerTerm, at now: Moment) throws(LedgerError) {
    try ownership.check(term, "renew ledger")
    ownership.renew(at: now)
  }

  package func resign(_ term: LedgerTerm) throws(LedgerError) {
    try ownership.check(term, "resign ledger")
    ownership.resign()
  }

  package func commit(_ changes: Changes, at now: Moment) throws(LedgerError) -> ChangesMade {
    try ownership.check(changes.term, "write ledger")
    var made = ChangesMade()
    var refused: [Address: Set<BatchID>] = [:]
    for submission in changes.submissions { made.submissions.append(take(submission, &refused, at: now)) }
    for change in changes.jobs { made.jobs.append(apply(change, at: now)) }
    for change in changes.batches { made.batches.append(apply(change, at: now)) }
    for worker in changes.seen { seen[worker] = now }
    for (host, wait) in changes.waits { waits[host] = wait.until > now ? wait : nil }
    if waits.count > mostWaits {
      waits = waits.filter { $1.until > now }
      mostWaits = max(1_000, 2 * waits.count)
    }
    let changed = changes.submissions.map(\.batch) + changes.batches.compactMap(\.batch)
    jobless += changed.count { batches[$0]?.known.isJobless == true }
    if jobless >= Changes.emptyBatchesKept {
      jobless = 0
      let all = inOrder.map(\.known).filter(\.isJobless)
      for batch in all.dropLast(Changes.emptyBatchesKept) { batches[batch.id] = nil }
    }
    return made
  }

  /// All of a submission that are new, or none of it.
  private func take(
    _ submission: JobsIn, _ refused: inout [Address: Set<BatchID>], at now: Moment
  ) -> Insertion {
    var made = Insertion()
    if let sender = submission.sender, refused[sender]?.contains(submission.batch) == true { return made }
    var new: [JobID: JobsIn.Item] = [:]
    for item in submission.jobs {
      let known = jobs[item.job.id]?.story.history.job ?? new[item.job.id]?.job
      if known == nil { new[item.job.id] = item }
      guard let known, !known.asks(theSameAs: item.job) else { continue }
      made.differing = .sum(made.differing, DifferingJobs(count: 1, first: item.job.ordinal))
    }
    guard made.differing == nil else {
      if let sender = submission.sender { refused[sender, default: []].insert(submission.batch) }
      return made
    }
    for (id, item) in new {
      let job = LedgerJob(item.job, life: item.job.firstLife, host: item.host, at: now)
      jobs[id] = (JobStory(history: job), item.link)
      index.move(id, from: nil, to: job.phase)
    }
    made.count = new.count
    if submission.makesBatch { touch(submission.batch, at: now) }
    batches[submission.batch]?.known.take(submission, &made, at: now)
    made.ends = submission.ends.map { apply(JobChange($0), at: now) }
    return made
  }

  /// - Returns: False when it came too late.
  private func apply(_ change: JobChange, at now: Moment) -> Bool {
    guard let place = jobs.index(forKey: change.job) else { return false }
    let (phase, job) = (jobs.values[place].story.history.phase, jobs.values[place].story.history.job)
    let taken = jobs.values[place].story.history.state.take(change.event, kind: job.kind, at: now)
    guard let effect = taken else { return false }
    if case .granted(let lease, to: _) = change.event {
      greatestToken = max(greatestToken, lease.token.unsealed)
    }
    switch effect {
    case .nothing, .attempted, .forgetsDeath: break
    case .over(let settlement):
      touch(job.batch, at: now)
      jobs.values[place].story.row = batches[job.batch]?.append(settlement)
    case .anew:
      touch(job.batch, at: now)
      batches[job.batch]?.known.requeue()
      if let row = jobs.values[place].story.row { batches[job.batch]?.rows[row.number] = nil }
    }
    jobs.values[place].story.take(effect)
    index.move(job.id, from: phase, to: jobs.values[place].story.history.phase)
    if case .over = effect, !retellsCalls, job.batch.isOfCalls {
      jobs.values[place].story.row.map { forgetRow($0.number, of: job.batch) }
    }
    return true
  }

  private func apply(_ change: BatchChange, at now: Moment) -> BatchAnswer {
    if case .pause(let scope, let pause, let moment) = change, scope.batch == nil {
      return pauses[scope].become(pause, dueBy: moment)
    }
    guard let id = change.batch else { return .stale }
    if change.makesBatch { touch(id, at: now) }
    let confirmed = batches[id]?.known.confirmed ?? 0
    guard let answer = batches[id]?.known.take(change), answer != .stale else { return .stale }
    touch(id, at: now)
    for number in confirmed..<(batches[id]?.known.confirmed ?? confirmed) { forgetRow(number + 1, of: id) }
    return answer
  }

  /// Makes the batch when it is new.
  private func touch(_ id: BatchID, at now: Moment) {
    if batches[id] == nil { batchesEver += 1 }
    let new = LedgerBatch(id, serial: batchesEver, submittedAt: now, firstSubmittedAt: now)
    batches[id, default: Batch(known: new, changedAt: now)].changedAt = now
  }

  private func forgetRow(_ number: UInt64, of batch: BatchID) {
    guard let job = batches[batch]?.rows.removeValue(forKey: number) else { return }
    if let gone = jobs.removeValue(forKey: job) { index.move(job, from: gone.story.history.phase, to: nil) }
  }

  /// Counts rows that were still kept: jobs with confirmed rows were forgotten before.
  package func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int, under term: LedgerTerm
  ) throws(LedgerError) -> ForgettingStep {
    try ownership.check(term, "write ledger")
    let (place, choice) = (place ?? .first, rule.choice)
    var step = ForgettingStep(jobs: 0, next: nil)
    for batch in inOrder where batch.known.serial >= place.serial {
      guard rule.wants(batch.known, changedAt: batch.changedAt, before: moment) else { continue }
      let id = batch.known.id
      let first = batch.known.serial == place.serial ? place.number : 0
      let ends = batch.rows.compactMapValues { jobs[$0]?.story.history.life.end }
      let wanted = ends.filter { $0.key >= first && choice.end ?? $0.value == $0.value }
      let chosen = wanted.sorted { $0.key < $1.key }.prefix(limit - step.jobs)
      step.jobs += chosen.count
      if !choice.onlyCounts, !chosen.isEmpty || choice.end == nil {
        for (number, _) in chosen { forgetRow(number, of: id) }
        batches[id]?.known.forget(jobs: chosen.map(\.value))
        if let rest = batches[id], rest.rows.isEmpty {
          batches[id] = nil
          step.gone.append(rest.known)
        }
      }
      if step.jobs >= limit {
        step.next = RowPlace(serial: batch.known.serial, number: (chosen.last?.key ?? 0) + 1)
        break
      }
    }
    return step
  }

  package func size() -> LedgerSize {
    let shown = batches.values.lazy.filter { !$0.known.id.isPassing }
    return shown.reduce(into: LedgerSize(jobs: index.counts)) { $0.add($1.known, changedAt: $1.changedAt) }
  }
}

/// The ids of open jobs in blocks, and in each block by state: so jobs in one state are found without a look at the others.
/// Jobs that are over are counted only.
struct JobIndex {
  /// By their least ids. The one that became empty last stays: most often the next job of its batch comes into it.
  private var blocks: [JobID: Block] = [:]
  private var emptied: JobID?
  /// The least ids of all blocks, and of some that are gone; nil since another block came.
  private var order: [JobID]?
  private(set) var counts = JobCounts()

  mutating func move(_ id: JobID, from old: JobPhase?, to new: JobPhase?) {
    if let old { counts.add(-1, in: old) }
    if let new { counts.add(1, in: new) }
    guard old?.isOpen == true || new?.isOpen == true else { return }
    let (start, known) = (id.startOfBlock, blocks.count)
    let isEmpty = blocks[start, default: Block()].move(id, from: old, to: new)
    if blocks.count > known { order = nil }
    guard isEmpty, emptied != start else { return }
    if let emptied, blocks[emptied]?.isEmpty == true { blocks[emptied] = nil }
    emptied = start
  }

  /// The jobs in some states where a query looks, block after block, and in no order in a block.
  mutating func blocks(in phases: [JobPhase], of query: JobQuery? = nil) -> some Sequence<[JobID]> {
    let (starts, blocks) = (order ?? blocks.keys.sorted(), blocks)
    order = starts
    let (first, last) = (query?.start, query?.end)
    let inRange = starts.lazy.drop { start in first.map { start < $0.startOfBlock } ?? false }
      .prefix { start in last.map { start <= $0 } ?? true }
    return inRange.map { start in
      let ids = phases.flatMap { blocks[start]?.ids[Int($0.rawValue)] ?? [] }
      return ids.filter { id in first.map { $0 < id } ?? true }
    }.filter { !$0.isEmpty }
  }
}

private struct Block {
  /// By the number of their state.
  private(set) var ids = [Set<JobID>](repeating: [], count: 1 + JobPhase.open.count)

  var isEmpty: Bool { ids.allSatisfy { $0.isEmpty } }

  /// - Returns: Whether no job is left in it.
  mutating func move(_ id: JobID, from old: JobPhase?, to new: JobPhase?) -> Bool {
    if let old, old.isOpen { ids[Int(old.rawValue)].remove(id) }
    guard let new, new.isOpen else { return isEmpty }
    ids[Int(new.rawValue)].insert(id)
    return false
  }
}
