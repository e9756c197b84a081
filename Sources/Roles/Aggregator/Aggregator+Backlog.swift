import Links
package import Pipeline

/// Jobs that wait in the ledger until memory has room for them.
extension Aggregator {
  /// Hosts of one batch that are read on in one transaction.
  private static let mostHosts = 32

  /// Takes a ready job into memory, or leaves it to be read later.
  func admit(_ open: LedgerJob, host: String, link: WebURL? = nil, at now: Moment) {
    let batch = open.job.batch
    guard dispatcher.jobs[open.job.id] == nil else { return }
    guard backlog.isBounded else { return dispatcher.arrived(open, host: host, link: link, at: now) }
    // What came before it for the same host goes first.
    if !backlog.knows(batch, host: host), hasRoom(for: batch, below: settings.mostInMemory),
      wanted(of: batch, host: host, at: now) > 0
    {
      dispatcher.arrived(open, host: host, link: link, at: now)
    } else {
      leaveOut(open.job, host: host, at: now)
    }
  }

  /// A ready job that stays in the ledger until its host can start it.
  func leaveOut(_ job: Job, at now: Moment) {
    leaveOut(job, host: (try? Intake.host(of: job)) ?? "", at: now)
  }

  private func leaveOut(_ job: Job, host: String, at now: Moment) {
    guard !backlog.willMeet(job.id, of: job.batch, host: host) else { return }
    let hasEnough = dispatcher.isBusy(host: host) && wanted(of: job.batch, host: host, at: now) <= 0
    backlog.leftOut(job.id, of: job.batch, host: host, hasEnough: hasEnough, at: now)
  }

  /// How many more jobs of a batch and host memory wants.
  private func wanted(of batch: BatchID, host: String, at now: Moment) -> Int {
    let share = dispatcher.share(of: batch, host: host, among: backlog.batchCount(at: host), at: now)
    return min(share - dispatcher.held(of: batch, host: host), dispatcher.room(host: host, at: now))
  }

  private func weight(of batch: BatchID) -> UInt32 { dispatcher.weight(of: batch) }

  /// The window of a batch is low.
  func hasRoom(for batch: BatchID) -> Bool { hasRoom(for: batch, below: settings.mostInMemory / 2) }

  private func hasRoom(for batch: BatchID, below most: Int) -> Bool {
    let window = window(of: batch, below: most)
    return window == .max || window > 0 && dispatcher.held(of: batch) < window
  }

  /// How many jobs of a batch memory may have: none of one that may start nothing, else its part of half of memory by its
  /// weight, and a few beside many of others. There is no bound while memory has fewer than `most`, but for limits, which
  /// keep jobs that could run from starting; nor while fetchers would take more than memory has that can run, if the batch
  /// is not at its limits. What cannot run is then a few times what does, as each host has so much of it at most.
  private func window(of batch: BatchID, below most: Int) -> Int {
    guard !dispatcher.isShut(batch) else { return 0 }
    let (queued, capacity) = (dispatcher.queued, settings.mostInMemory)
    if queued < most, !dispatcher.isLimited(batch) { return .max }
    if isStarved, !dispatcher.isHeld(batch), queued / 4 - 2 * dispatcher.underWay < capacity { return .max }
    let few = queued / 2 < capacity ? max(1, min(64, capacity / 8)) : 0
    return max(few, dispatcher.part(of: batch, in: capacity / 2))
  }

  /// Hosts that memory has less of than before may be read on.
  func noteShrunkHosts() {
    let shrunk = dispatcher.takeShrunk()
    guard backlog.mayHoldReady else { return }
    for host in shrunk { backlog.shrank(host, isBusy: dispatcher.isBusy(host: host)) }
  }

  /// Reads what memory has room for, and what the time has come for.
  func readBacklog(_ transaction: inout Transaction, at now: Moment) async throws {
    if backlog.seeksBatches { try await seekBatches() }
    for batch in backlog.nextBatches(weight: weight, where: hasRoom) {
      try await read(batch, &transaction, at: now)
    }
    if let due = backlog.nextLook, due <= now {
      if backlog.mayHoldRetries { try await readRetries(&transaction, at: now) }
      for open in try await ours(.overdue(at: now), from: \.overdue)
      // A run is ended with its calls, once it is begun.
      where dispatcher.jobs[open.job.id] == nil && open.job.kind != .run {
        let attempts = open.life.attempts
        transaction.end(
          Settlement(of: open.job, failing: .overdue(open.job, attempts: attempts), attempts: attempts))
      }
      backlog.looked(at: now)
    }
    // After the reading: some became ready in this turn, and a round that is to meet them sees that with its commit only.
    for entry in dispatcher.takeShut(at: now) + dispatcher.takePausing(at: now) {
      leaveOut(entry.job, host: entry.host, at: now)
    }
  }

  private func seekBatches() async throws {
    let page = try await read { [last = backlog.lookedThrough] in
      try await $0.batches(.ready(after: last ?? 0, limit: Backlog.page))
    }
    backlog.found(page.items.map(\.id).filter(isOurs), next: page.next)
  }

  /// First the hosts of which memory has too little, then on with the round over all of them.
  private func read(_ batch: BatchID, _ transaction: inout Transaction, at now: Moment) async throws {
    var (room, hosts) = (Backlog.share, 0)
    while hosts < Self.mostHosts, room > Backlog.share / 2,
      let next = backlog.nextHost(of: batch, where: { wantsMore(batch, host: $0, among: $1, at: now) })
    {
      room -= try await readHost(of: batch, next.host, after: next.after, &transaction, at: now)
      hosts += 1
    }
    if let known = backlog.batches[batch], let place = known.round {
      let wish = ReadyWish(
        batch, from: place, without: known.passedOver, perHost: dispatcher.mostSoon,
        limit: max(Backlog.share / 2, room))
      try await goRound(wish, &transaction, at: now)
    }
  }

  /// Memory holds less of a batch and host than half of what it may.
  private func wantsMore(_ batch: BatchID, host: String, among batches: Int, at now: Moment) -> Bool {
    let share = dispatcher.share(of: batch, host: host, among: batches, at: now)
    return dispatcher.held(of: batch, host: host) * 2 < share && dispatcher.room(host: host, at: now) > 0
  }

  /// - Returns: How many jobs were read.
  private func readHost(
    of batch: BatchID, _ host: String, after: JobID?, _ transaction: inout Transaction, at now: Moment
  ) async throws -> Int {
    // From the first job on, what memory has comes again.
    let known = after == nil ? dispatcher.held(of: batch, host: host) : 0
    let limit = max(1, wanted(of: batch, host: host, at: now)) + known
    let query = JobQuery(.atHost(host, of: batch), after: after, limit: limit)
    let page = try await read { try await $0.page(query) }
    let read = await take(page.items, &transaction, at: now)
    if read == page.items.count {
      backlog.read(batch, host: host, upTo: page.next, isWhole: page.next == nil)
    } else {
      backlog.read(batch, host: host, upTo: page.items.prefix(read).last?.job.id ?? after, isWhole: false)
    }
    return read
  }

  /// Takes of each host what it can start soon. What else it has is read when that is used up.
  private func goRound(_ wish: ReadyWish, _ transaction: inout Transaction, at now: Moment) async throws {
    let page = try await read { try await $0.readyJobs(wish) }
    var room: [String: Int] = [:]
    var known: Set<String> = []
    var wanted: [LedgerJob] = []
    for group in page.items where !known.contains(group.host) {
      let host = group.host
      let new = group.jobs.filter { dispatcher.jobs[$0.job.id] == nil }
      let most = max(0, room[host] ?? self.wanted(of: wish.batch, host: host, at: now))
      let taken = new.prefix(most)
      room[host] = most - taken.count
      wanted += taken
      guard taken.count < new.count || group.isCut else { continue }
      known.insert(host)
      let last = taken.last ?? (new.isEmpty ? group.jobs.last : nil)
      // Before the first job of a batch there is none of it: the host is read from its first.
      let before = new.first.flatMap { $0.job.ordinal > 0 ? $0.job.id.predecessor : nil }
      backlog.read(wish.batch, host: host, upTo: last?.job.id ?? before, isWhole: false)
    }
    let read = await take(wanted, &transaction, at: now)
    backlog.wentRound(wish.batch, to: page.next)
    for open in wanted[read...] { leaveOut(open.job, at: now) }
  }

  private func take(_ page: [LedgerJob], _ transaction: inout Transaction, at now: Moment) async -> Int {
    let (rest, read, known) = await answerFromCache(page, &transaction, at: now)
    takeUp(rest, &transaction, at: now)
    for (job, known) in known { dispatcher.jobs[job]?.known = known }
    return read
  }

  private func takeUp(_ page: [LedgerJob], _ transaction: inout Transaction, at now: Moment) {
    for open in page where dispatcher.jobs[open.job.id] == nil && isOurs(open) {
      guard interruptions[open.job.batch] == nil, !transaction.endsOfReady.contains(open.job.id) else {
        continue
      }
      do {
        dispatcher.arrived(open, host: try Intake.host(of: open.job), at: now)
      } catch {
        // Requeued, and no better than before.
        transaction.end(Settlement(of: open.job, refused: error, attempts: open.life.attempts))
      }
    }
  }

  /// Retries that are due become ready, and are read as others are: those of one host do not fill memory.
  private func readRetries(_ transaction: inout Transaction, at now: Moment) async throws {
    let page = try await ours(.due(by: now), from: \.retries)
    for open in page where dispatcher.jobs[open.job.id] == nil {
      guard interruptions[open.job.batch] == nil else { continue }
      transaction.add(open.job.id, .becameDue)
      leaveOut(open.job, at: now)
    }
  }

  /// A page of jobs whose time has come, past those of other runs: these stay where they are.
  private func ours(
    _ which: JobQuery.What, from cursor: WritableKeyPath<TimedCursors, JobID?>
  ) async throws -> [LedgerJob] {
    while true {
      let page = try await read { [last = backlog.timed[keyPath: cursor]] in
        try await $0.page(JobQuery(which, after: last, limit: Backlog.page))
      }
      backlog.timed[keyPath: cursor] = page.next
      let ours = page.items.filter(isOurs)
      if page.next == nil || !ours.isEmpty { return ours }
    }
  }

  package func isOurs(_ open: LedgerJob) -> Bool { isOurs(open.job.batch) }

  func isOurs(_ batch: BatchID) -> Bool {
    settings.onlyBatch == nil || batch == settings.onlyBatch || runs.ownsBatch(batch)
  }
}

/// What an earlier aggregator left behind.
extension Aggregator {
  /// Takes up the leases; all other jobs are read as there is room for them, so that millions delay nothing.
  func recover() async throws {
    let now = ports.clock.now
    let left = try await takeOver(at: now)
    dispatcher = Dispatcher(settings: settings, lastToken: left.lastToken, leaseKey: left.leaseKey)
    registry.listens(at: now)
    dispatcher.inherit(left.waits, at: now)
    // Before anything is taken in: an earlier aggregator may have given the reserve up.
    try await lookAfterLedger(at: now)
    let seen = settings.workersMayLive ? left.lastSeen : [:]
    try await learnCancellations()
    try await learnShares(at: now)
    var begun = Transaction()
    try await beginRuns(&begun, at: now)
    advanceRuns(&begun, at: now)
    _ = try await commit(begun)
    try await forEachPage(of: .leased) { try await takeUpLeases($0, seen, at: now) }
    let counts = try await read { try await $0.summary(batches: 0).jobs }
    openJobs = counts.open
    if counts.ready > 0 { backlog.leftOutSome(at: now) }
    if counts.scheduled > 0 { backlog.leftOutRetry(at: now) }
  }

  /// Reads our open jobs of a kind to their end.
  func forEachPage(of which: JobQuery.What, _ body: ([LedgerJob]) async throws -> Void) async throws {
    var query = JobQuery(which, limit: Backlog.page)
    repeat {
      let page = try await read { [query] in try await $0.page(query) }
      try await body(page.items.filter(isOurs))
      query.after = page.next
    } while query.after != nil
  }

  /// Workers that may live keep their leases and have some time to say so. Those of a process that ended are gone,
  /// though a success they still send counts.
  private func takeUpLeases(_ page: [LedgerJob], _ seen: [WorkerID: Moment], at now: Moment) async throws {
    var transaction = Transaction()
    for open in page {
      guard case .leased(let stored) = open.life.state else { continue }
      let token = dispatcher.leaseKey.token(stored.value, of: open.job.id)
      guard settings.workersMayLive, let holder = open.state.worker, let host = try? Intake.host(of: open.job)
      else {
        transaction.add(open.job.id, .returned(token))
        continue
      }
      registry.expect(
        holder, lastHeard: seen[holder] ?? now, lastHeardAny: seen.values.max() ?? now, at: now)
      dispatcher.adopt(open, Lease(token: token, attempt: open.life.attempts), to: holder, host, at: now)
    }
    _ = try await commit(transaction)
  }
}
