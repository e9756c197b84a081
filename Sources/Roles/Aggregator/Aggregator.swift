import Links
public import Pipeline

/// The only role that touches the ledger: takes jobs in, gives them out, settles their outcomes, serves rows.
///
/// Each turn of its loop drains the inbox, commits all that follows from it in one transaction, and only then
/// sends anything.
public actor Aggregator {
  private let inbox: any Inbox
  private let ledger: any Ledger
  private let ports: RolePorts
  private let settings: AggregatorSettings
  private let switchboard: Switchboard
  private var dispatcher: Dispatcher
  private var decoders: [WorkerID: Roster.Peer] = [:]
  private var followers = Followers()
  private var unhurried = Unhurried()
  /// Batches that were ended early, and why: what comes of them late is cancelled too, and nothing is retried.
  private var interrupted: [BatchID: String] = [:]

  /// Messages of one turn.
  private static let burst = 1_000
  private static let commitRetryMilliseconds: Int64 = 200

  /// - Parameter inbox: Bound already, so that nothing sent to it is lost.
  public init(settings: AggregatorSettings, inbox: any Inbox, ledger: any Ledger, ports: RolePorts) {
    self.settings = settings
    self.inbox = inbox
    self.ledger = ledger
    self.ports = ports
    switchboard = Switchboard(ports: ports)
    dispatcher = Dispatcher(settings: settings)
  }

  /// Works until its task is cancelled.
  public func run() async throws {
    try await recover()
    while true {
      let burst = try await inbox.receive(atMost: Self.burst, until: nextWake).envelopes
      var turn = Turn()
      for envelope in burst { await handle(envelope.message, &turn) }
      let now = ports.clock.now
      settleOverdue(&turn, at: now)
      for id in dispatcher.dueRetries(at: now) { turn.add(.becameDue(id)) }
      for assignment in dispatcher.assignments(at: now) { turn.add(assignment) }
      let answers = try await commit(turn)
      say(turn, answers, at: now)
      if let acknowledged = unhurried.take(at: now) {
        for (worker, tokens) in acknowledged { switchboard.add(.ack(Ack(tokens: tokens)), to: worker) }
        try await serveFollowers()
      }
      if dispatcher.isDrained { try await sayDrained() }
      switchboard.flush()
    }
  }

  private var nextWake: Moment? {
    [dispatcher.nextWake, unhurried.due].compactMap { $0 }.min()
  }

  /// Takes up what an earlier aggregator left behind. Its workers are gone, or give up their leases as soon as they
  /// speak to us; a success they still send counts nevertheless.
  private func recover() async throws {
    dispatcher = Dispatcher(settings: settings, lastToken: try await ledger.lastToken())
    var last: JobID?
    while true {
      let page = try await ledger.openJobs(.all, after: last, limit: Self.burst)
      guard let end = page.last else { return }
      last = end.job.id
      try await takeUp(page.filter { settings.onlyBatch == nil || $0.job.batch == settings.onlyBatch })
    }
  }

  private func takeUp(_ page: [OpenJob]) async throws {
    var turn = Turn()
    var freed = page
    for (index, open) in page.enumerated() {
      guard case .leased(let token) = open.life.state, freed[index].life.returned(under: token) else {
        continue
      }
      turn.add(.giveBack(open.job.id, token))
    }
    _ = try await commit(turn)
    for open in freed {
      guard let link = try? Intake.link(of: open.job) else { continue }
      dispatcher.arrived(open, host: link.hostKey, at: ports.clock.now)
    }
  }

  private func handle(_ message: Message, _ turn: inout Turn) async {
    switch message {
    case .submit(let submit): await take(submit, &turn)
    case .result(let result): settle(result, &turn)
    case .credit(let credit): dispatcher.received(credit)
    case .hello(let hello): await meet(hello)
    case .query(let query): await take(query, &turn)
    case .cancel(let cancel): take(cancel, &turn)
    case .giveBack(let giveBack): take(giveBack, &turn)
    case .bye(let bye): forget(bye.worker)
    case .drain: dispatcher.drain()
    case .roster, .receipt, .job, .document, .ack, .answer:
      ports.log.record(.warning, "message not for an aggregator", [])
    }
  }

  private func meet(_ hello: Hello) async {
    await switchboard.meet(hello.worker, at: hello.address)
    switch hello.role {
    case .fetcher:
      dispatcher.fetcherSpoke(hello)
      switchboard.add(.roster(roster), to: hello.worker)
    case .decoder:
      let peer = Roster.Peer(worker: hello.worker, address: hello.address)
      guard decoders.updateValue(peer, forKey: hello.worker) == nil else { return }
      for fetcher in dispatcher.fetcherIDs { switchboard.add(.roster(roster), to: fetcher) }
    case .producer, .aggregator: return
    }
  }

  private var roster: Roster {
    Roster(decoders: decoders.values.sorted { $0.worker < $1.worker })
  }

  private func forget(_ worker: WorkerID) {
    dispatcher.fetcherLeft(worker)
    decoders[worker] = nil
    switchboard.forget(worker)
  }

  private func take(_ submit: Submit, _ turn: inout Turn) async {
    await switchboard.meet(submit.replyTo)
    turn.add(submit)
    if let total = submit.total {
      turn.add(.close(submit.batch, total: total))
      unhurried.noteRow(at: ports.clock.now)
    }
    let now = ports.clock.now
    for job in submit.jobs {
      if let cause = interrupted[job.batch] {
        turn.add(.settle(ownEnd(of: job, .cancelled, .cancelled(cause), attempts: 0, milliseconds: 0)))
        unhurried.noteRow(at: now)
        continue
      }
      do {
        let link = try Intake.link(of: job)
        dispatcher.arrived(OpenJob(job: job, life: JobLife()), host: link.hostKey, at: now)
      } catch {
        turn.add(.settle(ownEnd(of: job, .dead, error, attempts: 0, milliseconds: 0)))
        unhurried.noteRow(at: now)
      }
    }
  }

  private func settle(_ result: JobResult, _ turn: inout Turn) {
    let now = ports.clock.now
    unhurried.acknowledge(result.lease.token, of: result.sender, at: now)
    let settlement = Settlement(
      job: result.job, lease: result.lease,
      end: result.failure == nil || result.standsAnyway ? .done : .dead,
      failure: result.standsAnyway ? nil : result.failure?.kind, row: result.row)
    guard let entry = dispatcher.job(under: result.lease.token).flatMap({ dispatcher.jobs[$0] }) else {
      turn.add(lateAnswer: settlement)
      return
    }
    if let failure = result.failure {
      if failure.retryAfterMilliseconds != nil, let host = result.failedHost {
        dispatcher.pause(host: host, until: settings.retry.peace(after: failure, at: now))
      }
      if postpone(entry, under: result.lease.token, failure, &turn, at: now) { return }
    }
    turn.add(.settle(settlement))
    _ = dispatcher.removed(result.job, at: now)
  }

  /// Schedules another attempt, when the failure is one that may pass and the batch is not being ended.
  private func postpone(
    _ entry: Dispatcher.Entry, under token: LeaseToken, _ failure: Failure, _ turn: inout Turn, at now: Moment
  ) -> Bool {
    guard interrupted[entry.job.batch] == nil,
      let wait = settings.retry.wait(after: entry.attempts, failure, jitter: ports.random.fraction())
    else { return false }
    let moment = now.advanced(byMilliseconds: wait)
    turn.add(.retry(entry.job.id, token, at: moment, cause: failure))
    dispatcher.postponed(entry.job.id, until: moment, after: failure, at: now)
    ports.log.record(
      .info, "job will be tried again",
      [
        LogField("job", entry.job.id), LogField("in milliseconds", wait), LogField("cause", failure.message),
      ])
    return true
  }

  private func take(_ giveBack: GiveBack, _ turn: inout Turn) {
    let now = ports.clock.now
    for (index, token) in giveBack.tokens.enumerated() {
      guard let id = dispatcher.job(under: token), let entry = dispatcher.jobs[id] else { continue }
      let crashed = index < Int(giveBack.executing)
      if let cause = interrupted[entry.job.batch] {
        end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &turn, at: now)
      } else if crashed, entry.crashes + 1 >= JobLife.crashesUntilPoisoned {
        end(entry, .dead, .poisoned(entry), &turn, at: now)
      } else {
        turn.add(crashed ? .crash(id, token) : .giveBack(id, token))
        dispatcher.returned(id, crashed: crashed, at: now)
      }
    }
  }

  private func take(_ cancel: Cancel, _ turn: inout Turn) {
    let batch: BatchID
    let everything: Bool
    switch cancel.scope {
    case .leases: return
    case .waiting(let id): (batch, everything) = (id, false)
    case .all(let id): (batch, everything) = (id, true)
    }
    interrupted[batch] = cancel.cause
    for entry in dispatcher.openJobs(of: batch) {
      if case .leased = entry.place, !everything { continue }
      end(
        entry, .cancelled, .cancelled(cancel.cause, after: entry.lastFailure), &turn, at: ports.clock.now)
    }
  }

  private func settleOverdue(_ turn: inout Turn, at now: Moment) {
    for entry in dispatcher.overdue(at: now) { end(entry, .dead, .overdue(entry, now), &turn, at: now) }
  }

  /// Ends a job by our own decision, and tells the worker that is on it.
  private func end(
    _ entry: Dispatcher.Entry, _ end: JobLife.End, _ failure: Failure, _ turn: inout Turn, at now: Moment
  ) {
    unhurried.noteRow(at: now)
    let milliseconds = now.milliseconds(since: entry.arrivedAt)
    turn.add(
      .settle(ownEnd(of: entry.job, end, failure, attempts: entry.attempts, milliseconds: milliseconds)))
    if case .leased(let lease, let worker) = entry.place { turn.cancel(lease.token, at: worker) }
    _ = dispatcher.removed(entry.job.id, at: now)
  }

  private func ownEnd(
    of job: Job, _ end: JobLife.End, _ failure: Failure, attempts: UInt16, milliseconds: Int64
  ) -> Settlement {
    Settlement(
      job: job.id, lease: nil, end: end, failure: failure.kind,
      row: RowComposer.row(of: job, failure: failure, attempts: attempts, milliseconds: milliseconds))
  }

  /// Commits a turn, however long it takes: until then nothing of it is said to anybody.
  private func commit(_ turn: Turn) async throws -> [LedgerAnswer] {
    guard !turn.events.isEmpty else { return [] }
    var reported: LedgerError?
    while true {
      do {
        return try await ledger.commit(turn.events, at: ports.clock.now)
      } catch {
        guard error.mayPass else { throw error }
        if error != reported {
          ports.log.record(.error, "commit failed, trying again", [LogField("cause", error.message)])
          reported = error
        }
        try await ports.clock.sleep(
          until: ports.clock.now.advanced(byMilliseconds: Self.commitRetryMilliseconds))
      }
    }
  }

  private func say(_ turn: Turn, _ answers: [LedgerAnswer], at now: Moment) {
    for (index, answer) in answers.enumerated() {
      if let assignment = turn.grants[index] {
        if answer == .applied {
          switchboard.add(
            .job(assignment.order), to: assignment.fetcher, laneSequence: assignment.laneSequence)
        } else {
          dispatcher.refused(assignment, at: now)
        }
      }
      if let late = turn.lateAnswers[index], answer == .applied,
        case .leased(let lease, let worker) = dispatcher.removed(late, at: now)?.place
      {
        switchboard.add(.cancel(Cancel(.leases([lease.token]), cause: "the job is over")), to: worker)
      }
      if let submit = turn.submissions[index], case .inserted(let count) = answer {
        let receipt = Receipt(batch: submit.batch, sequence: submit.sequence, inserted: UInt32(count))
        switchboard.add(.receipt(receipt), to: submit.replyTo)
      }
    }
    for (worker, tokens) in turn.cancelled {
      switchboard.add(.cancel(Cancel(.leases(tokens), cause: "the job is over")), to: worker)
    }
  }

  private func take(_ query: Query, _ turn: inout Turn) async {
    await switchboard.meet(query.replyTo)
    switch query.question {
    case .rows(let batch, let confirmed, let limit):
      unhurried.noteRow(at: ports.clock.now)
      followers.asked(for: batch, by: query.replyTo, confirmed: confirmed, limit: limit)
      if confirmed > 0 { turn.add(.confirmRows(batch, upTo: confirmed)) }
    }
  }

  /// Tells everybody who waits for rows that no more will come.
  private func sayDrained() async throws {
    try await serveFollowers()
    for follower in followers.all { switchboard.add(.drain, to: follower.address) }
  }

  private func serveFollowers() async throws {
    for follower in followers.all where !follower.knowsTheEnd {
      var sent = follower.sent
      while sent < follower.limit {
        let limit = min(Followers.chunk, Int(clamping: follower.limit - sent))
        let rows = try await ledger.rows(of: follower.batch, after: sent, limit: limit)
        guard let last = rows.last else { break }
        for message in Followers.messages(of: rows) {
          switchboard.add(.answer(.rows(of: follower.batch, message)), to: follower.address)
        }
        sent = last.number
      }
      followers.sent(follower, upTo: sent)
      guard let progress = try await ledger.progress(of: follower.batch), progress.isComplete,
        progress.rows == sent
      else { continue }
      switchboard.add(.answer(.complete(follower.batch, rows: sent)), to: follower.address)
      followers.toldTheEnd(follower)
    }
  }
}
