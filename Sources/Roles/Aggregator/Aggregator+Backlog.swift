import Pipeline

/// Jobs that wait in the ledger until memory has room for them.
extension Aggregator {
  /// Lines of one batch that are read on in one turn.
  private static let mostLines = 32
  /// Jobs that every batch may have in memory, however many others have.
  private var leastOfBatch: Int { max(1, min(64, settings.mostInMemory / 8)) }

  /// Takes a ready job into memory, or leaves it to be read later.
  func admit(_ open: OpenJob, host: String, at now: Moment) {
    guard dispatcher.jobs[open.job.id] == nil else { return }
    if mayEnter(open.job.batch, host: host, at: now) {
      dispatcher.arrived(open, host: host, at: now)
    } else {
      leaveOut(open.job, host: host, at: now)
    }
  }

  /// A ready job that stays in the ledger until its host can start it.
  func leaveOut(_ job: Job, at now: Moment) {
    leaveOut(job, host: (try? Intake.host(of: job)) ?? "", at: now)
  }

  private func leaveOut(_ job: Job, host: String, at now: Moment) {
    backlog.leftOut(
      job.id, of: job.batch, host: host, isBusy: dispatcher.isBusy(host: host), at: now)
  }

  /// Those of its line that came before go first.
  private func mayEnter(_ batch: BatchID, host: String, at now: Moment) -> Bool {
    guard backlog.isBounded else { return true }
    return !backlog.knows(batch, host: host) && hasRoom(for: batch, below: settings.mostInMemory)
      && wanted(of: batch, host: host, at: now) > 0
  }

  /// How many more jobs of a line memory wants.
  private func wanted(of batch: BatchID, host: String, at now: Moment) -> Int {
    let share = dispatcher.share(of: batch, host: host, among: backlog.batchCount(at: host), at: now)
    return min(share - dispatcher.held(of: batch, host: host), dispatcher.room(host: host, at: now))
  }

  func hasRoom(for batch: BatchID) -> Bool { hasRoom(for: batch, below: settings.mostInMemory / 2) }

  /// A batch may have a few in any case. While fetchers would take more than memory has that can run, it may hold more:
  /// what cannot run is a few times what does, as each host has so much of it at most.
  private func hasRoom(for batch: BatchID, below most: Int) -> Bool {
    let (queued, capacity) = (dispatcher.queued, settings.mostInMemory)
    if queued < most { return true }
    if dispatcher.held(of: batch) < leastOfBatch, queued / 2 < capacity { return true }
    return isStarved && queued / 4 - 2 * dispatcher.underWay < capacity
  }

  /// Lines that memory has less of than before may be read on.
  func noteShrunkLines() {
    for host in dispatcher.takeShrunk() { backlog.shrank(host, isBusy: dispatcher.isBusy(host: host)) }
  }

  /// Reads what memory has room for, and what the time has come for.
  func readBacklog(_ turn: inout Turn, at now: Moment) async throws {
    for entry in dispatcher.takeResting(at: now) { leaveOut(entry.job, host: entry.host, at: now) }
    if backlog.isReadInOrder { try await readInOrder(&turn, at: now) }
    if backlog.seeksBatches { try await seekBatches() }
    for batch in backlog.nextBatches(where: hasRoom) { try await read(batch, &turn, at: now) }
    if let due = backlog.nextLook, due <= now {
      if backlog.mayHoldRetries { try await readRetries(&turn, at: now) }
      for open in try await ours(.overdue(at: now), from: \.overdueCursor)
      // A run is ended with its calls, once it is begun.
      where dispatcher.jobs[open.job.id] == nil && open.job.kind != .run {
        endUnseen(open, .dead, .overdue(open.job, attempts: open.life.attempts), &turn, at: now)
      }
      backlog.looked(at: now)
    }
  }

  private func readInOrder(_ turn: inout Turn, at now: Moment) async throws {
    let page = try await ledger.openJobs(.ready, after: backlog.cursor, limit: Backlog.page)
    let read = await take(page, &turn, at: now)
    backlog.readInOrder(
      upTo: page.prefix(read).last?.job.id, isLast: read == page.count && page.count < Backlog.page)
  }

  private func seekBatches() async throws {
    let page = try await ledger.readyBatches(after: backlog.lookedThrough, limit: Backlog.page)
    backlog.found(page.filter(isOurs), isLast: page.count < Backlog.page)
  }

  /// First the lines of which memory has too little, then on with the round over all hosts.
  private func read(_ batch: BatchID, _ turn: inout Turn, at now: Moment) async throws {
    var (room, lines) = (Backlog.share, 0)
    while lines < Self.mostLines, room > Backlog.share / 2,
      let line = backlog.nextLine(of: batch, where: { isThirsty(batch, host: $0, among: $1, at: now) })
    {
      room -= try await readLine(of: batch, line.host, after: line.after, &turn, at: now)
      lines += 1
    }
    switch backlog.round(of: batch) {
    case nil: break
    case .jobs(let place): try await goThrough(batch, after: place, limit: max(1, room), &turn, at: now)
    case .hosts(let place):
      let wish = ReadyWish(
        batch, after: place, without: backlog.known(of: batch), perHost: dispatcher.mostSoon,
        limit: max(1, room))
      try await goRound(wish, &turn, at: now)
    }
  }

  /// Memory holds less of a line than half of what it may.
  private func isThirsty(_ batch: BatchID, host: String, among lines: Int, at now: Moment) -> Bool {
    let share = dispatcher.share(of: batch, host: host, among: lines, at: now)
    return dispatcher.held(of: batch, host: host) * 2 < share && dispatcher.room(host: host, at: now) > 0
  }

  /// - Returns: How many jobs were read.
  private func readLine(
    of batch: BatchID, _ host: String, after: JobID?, _ turn: inout Turn, at now: Moment
  ) async throws -> Int {
    // From the start of a line what memory has comes first.
    let known = after == nil ? dispatcher.held(of: batch, host: host) : 0
    let limit = max(1, wanted(of: batch, host: host, at: now)) + known
    let page = try await ledger.readyJobs(of: batch, host: host, after: after, limit: limit)
    let read = await take(page, &turn, at: now)
    backlog.read(
      batch, host: host, upTo: page.prefix(read).last?.job.id ?? after,
      isWhole: read == page.count && page.count < limit)
    return read
  }

  /// Takes jobs in the order of their ids, of each host what it can start soon. What else it has is read when that is used
  /// up.
  private func goThrough(
    _ batch: BatchID, after place: JobID?, limit: Int, _ turn: inout Turn, at now: Moment
  ) async throws {
    let page = try await ledger.openJobs(.readyOf(batch), after: place, limit: limit)
    var known = backlog.known(of: batch)
    var room: [String: Int] = [:]
    var wanted: [OpenJob] = []
    var passed = 0
    for open in page where dispatcher.jobs[open.job.id] == nil {
      guard !known.contains(open.host) else {
        passed += 1
        continue
      }
      let left = room[open.host] ?? self.wanted(of: batch, host: open.host, at: now)
      room[open.host] = left - 1
      if left > 0 {
        wanted.append(open)
      } else {
        known.insert(open.host)
        backlog.read(batch, host: open.host, upTo: open.job.id.predecessor, isWhole: false)
      }
    }
    let read = await take(wanted, &turn, at: now)
    let isMostlyKnown = passed > limit / 2
    backlog.wentRound(
      batch,
      to: page.count < limit
        ? nil : isMostlyKnown ? .hosts(after: nil) : .jobs(after: page.last?.job.id ?? place))
    for open in wanted[read...] { leaveOut(open.job, at: now) }
  }

  /// Takes of each host what it can start soon. What else it has is read when that is used up.
  private func goRound(_ wish: ReadyWish, _ turn: inout Turn, at now: Moment) async throws {
    let page = try await ledger.readyJobs(wish)
    var wanted: [OpenJob] = []
    for (index, line) in page.lines.enumerated() {
      let most = max(0, self.wanted(of: wish.batch, host: line.host, at: now))
      let new = line.jobs.filter { dispatcher.jobs[$0.job.id] == nil }
      let taken = new.prefix(most)
      wanted += taken
      let isCut = index == page.lines.count - 1 && !page.isLast
      guard taken.count < new.count || line.jobs.count >= wish.perHost || isCut else { continue }
      backlog.read(wish.batch, host: line.host, upTo: taken.last?.job.id, isWhole: false)
    }
    let read = await take(wanted, &turn, at: now)
    backlog.wentRound(
      wish.batch, to: page.isLast ? nil : .hosts(after: page.lines.last?.host ?? wish.after))
    for open in wanted[read...] { leaveOut(open.job, at: now) }
  }

  private func take(_ page: [OpenJob], _ turn: inout Turn, at now: Moment) async -> Int {
    let (rest, read, known) = await answerFromCache(page, &turn, at: now)
    takeUp(rest, &turn, at: now)
    for (job, known) in known { dispatcher.knows(known, of: job) }
    return read
  }

  private func takeUp(_ page: [OpenJob], _ turn: inout Turn, at now: Moment) {
    for open in page where dispatcher.jobs[open.job.id] == nil && isOurs(open) {
      guard interruptions[open.job.batch] == nil else { continue }
      if open.host.isEmpty { backlog.holdsUnnamed(open.job.batch) }
      do {
        dispatcher.arrived(open, host: try Intake.host(of: open.job), at: now)
      } catch {
        // Requeued, and no better than before.
        endUnseen(open, .dead, error, &turn, at: now)
      }
    }
  }

  /// Retries that are due become ready, and are read as others are: those of one host do not fill memory.
  private func readRetries(_ turn: inout Turn, at now: Moment) async throws {
    let page = try await ours(.scheduled(dueBy: now), from: \.retryCursor)
    guard backlog.isBounded else { return takeUp(page, &turn, at: now) }
    for open in page where dispatcher.jobs[open.job.id] == nil {
      guard interruptions[open.job.batch] == nil else { continue }
      turn.add(.becameDue(open.job.id))
      leaveOut(open.job, at: now)
    }
  }

  /// A page of jobs whose time has come, past those of other runs: these stay where they are.
  private func ours(
    _ which: JobSelection, from cursor: WritableKeyPath<Backlog, JobID?>
  ) async throws -> [OpenJob] {
    while true {
      let page = try await ledger.openJobs(which, after: backlog[keyPath: cursor], limit: Backlog.page)
      let isLast = page.count < Backlog.page
      backlog[keyPath: cursor] = isLast ? nil : page.last?.job.id
      let ours = page.filter(isOurs)
      if isLast || !ours.isEmpty { return ours }
    }
  }

  func isOurs(_ open: OpenJob) -> Bool { isOurs(open.job.batch) }

  func isOurs(_ batch: BatchID) -> Bool {
    settings.onlyBatch == nil || batch == settings.onlyBatch || runs.ownsBatch(batch)
  }

  func endUnseen(
    _ open: OpenJob, _ end: JobLife.End, _ failure: Failure, _ turn: inout Turn, at now: Moment
  ) {
    turn.add(
      .settle(ownEnd(of: open.job, end, failure, attempts: open.life.attempts, milliseconds: 0)))
    unhurried.noteRow(at: now)
  }
}
