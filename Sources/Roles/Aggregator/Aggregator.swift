public import Pipeline

/// The only role that touches the ledger: takes jobs in, gives them out, settles their outcomes, serves rows.
///
/// Each turn of its loop drains the inbox, commits all that follows from it in one transaction, and only then
/// sends anything.
public actor Aggregator {
  let inbox: any Inbox
  let ledger: any Ledger
  let ports: RolePorts
  let settings: AggregatorSettings
  /// nil when every job is done anew.
  let keeping: ResultKeeping?
  let switchboard: Switchboard
  var dispatcher: Dispatcher
  var workforce = Workforce()
  var followers = Followers()
  var unhurried = Unhurried()
  var backlog: Backlog
  /// Jobs in the ledger that are not over.
  var openJobs = 0
  var nextUpkeep: Moment?
  /// Jobs came in that may start at once, or more can start than one turn gives out.
  var hasNewJobs = false
  /// Cancelled batches whose jobs in the ledger are not all ended yet.
  var cancelling: [CancelledBatch] = []
  var interruptions = Interruptions()
  var runs = Runs()
  var answered = AnsweredOnce()
  var retryBudget: RetryBudget
  let startedAt: Moment
  /// What it has done since then.
  var work = StatusReport.Work()
  /// What came while a commit failed; it is taken first.
  var waiting: [Delivery] = []
  /// Why the last commit failed; nil since one succeeded.
  var commitFault: String?
  /// What went wrong with kept answers, each told once.
  private var cacheFaults: Set<String> = []

  /// Messages of one turn.
  static let burst = 1_000
  /// Jobs that one turn gives out. It takes more results than that, so that they never pile up before it.
  static let mostGivenOut = 500
  static let commitRetryMilliseconds: Int64 = 200

  /// - Parameters:
  ///   - inbox: Bound already, so that nothing sent to it is lost.
  ///   - keeping: Answers that serve whoever asks the same; nil for none.
  public init(
    settings: AggregatorSettings, inbox: any Inbox, ledger: any Ledger, ports: RolePorts,
    keeping: ResultKeeping? = nil
  ) {
    self.keeping = keeping
    self.settings = settings
    self.inbox = inbox
    self.ledger = ledger
    self.ports = ports
    startedAt = ports.clock.now
    switchboard = Switchboard(ports: ports, inbox: inbox)
    dispatcher = Dispatcher(settings: settings)
    retryBudget = RetryBudget(percent: settings.retryBudgetPercent)
    backlog = Backlog(capacity: settings.mostInMemory)
  }

  /// Works until its task is cancelled.
  public func run() async throws {
    try await recover()
    while true {
      let burst = try await nextBurst()
      var turn = Turn()
      hasNewJobs = false
      for delivery in burst { await handle(delivery, &turn) }
      let now = ports.clock.now
      await answerSubmissions(&turn, at: now)
      await renew(&turn, at: now)
      await lookAfterOthers(&turn, at: now)
      settleOverdue(&turn, at: now)
      endOverdueRuns(&turn, at: now)
      for id in dispatcher.dueRetries(at: now) { turn.add(.becameDue(id)) }
      try await readBacklog(&turn, at: now)
      endCondemned(&turn, at: now)
      letVisitsGo(at: now)
      try await beginRuns(&turn, at: now)
      advanceRuns(&turn, at: now)
      giveOut(&turn, at: now)
      await keepAnswers(of: turn)
      let answers = try await commit(turn)
      say(turn, answers, at: now)
      await answer(turn.questions)
      if let acknowledged = unhurried.take(at: now, isQuiet: dispatcher.isQuiet) {
        for (worker, tokens) in acknowledged.inOrder {
          switchboard.add(.ack(Ack(tokens: tokens)), to: worker)
        }
        try await serveFollowers()
      }
      if dispatcher.isDrained { try await sayDrained() }
      forgetInterruptions(at: now)
      await forgetOldBatches(at: now)
      switchboard.flush()
    }
  }

  private func giveOut(_ turn: inout Turn, at now: Moment) {
    let assignments = dispatcher.assignments(at: now, atMost: Self.mostGivenOut)
    for assignment in assignments { turn.add(assignment) }
    hasNewJobs = hasNewJobs || assignments.count == Self.mostGivenOut
  }

  private func nextBurst() async throws -> [Delivery] {
    guard waiting.isEmpty else {
      defer { waiting = [] }
      return waiting
    }
    return try await inbox.receive(atMost: Self.burst, until: nextWake)
  }

  private var nextWake: Moment? {
    if hasNewJobs || backlog.needsReading(dispatcher.queued) || !cancelling.isEmpty || runs.mayWait {
      return ports.clock.now
    }
    return [
      dispatcher.nextWake, unhurried.due, workforce.nextWake, backlog.nextLook, nextUpkeep, runs.nextDeadline,
    ].compactMap {
      $0
    }.min()
  }

  private func handle(_ delivery: Delivery, _ turn: inout Turn) async {
    switch delivery {
    case .envelope(let envelope):
      work.messages += 1
      await handle(envelope.message, &turn)
    case .lane(let notice): await take(notice, &turn)
    }
  }

  private func handle(_ message: Message, _ turn: inout Turn) async {
    switch message {
    case .submit(let submit): await take(submit, &turn)
    case .result(let result): settle(result, &turn)
    case .credit(let credit): dispatcher.received(credit)
    case .hello(let hello): await meet(hello, &turn)
    case .query(let query): await take(query, &turn)
    case .cancel(let cancel): take(cancel, &turn)
    case .giveBack(let giveBack): take(giveBack, &turn)
    case .bye(let bye): await take(bye, &turn)
    case .drain: dispatcher.drain()
    case .visit(let visit): take(visit)
    case .roster, .receipt, .job, .document, .ack, .answer, .go:
      ports.log.record(.warning, "message not for an aggregator", [])
    }
  }

  /// Commits a turn, however long it takes: until then nothing of it is said to anybody.
  func commit(_ turn: Turn) async throws -> [LedgerAnswer] {
    guard !turn.events.isEmpty else { return [] }
    var reported: LedgerError?
    while true {
      do {
        let answers = try await ledger.commit(turn.events, at: ports.clock.now)
        commitFault = nil
        work.commits += 1
        if reported == nil { count(turn, answers) } else { await countAnew() }
        return answers
      } catch {
        guard error.mayPass else { throw error }
        if error != reported {
          ports.log.record(.error, "commit failed, trying again", [LogField("cause", error.message)])
          reported = error
        }
        commitFault = error.message
        try await listenMeanwhile(
          until: ports.clock.now.advanced(byMilliseconds: Self.commitRetryMilliseconds))
      }
    }
  }

  private func say(_ turn: Turn, _ answers: [LedgerAnswer], at now: Moment) {
    for (index, answer) in answers.enumerated() {
      if let assignment = turn.grants[index] {
        if answer == .applied, let sequence = dispatcher.sent(assignment) {
          workforce.granted(assignment.order.lease.token, to: assignment.fetcher, sequence: sequence)
          var order = assignment.order
          order.pass(.aggregator, at: ports.clock.microseconds)
          order.keeping = keepingWish(for: order.job)
          switchboard.add(.job(order), to: assignment.fetcher, laneSequence: sequence)
        } else {
          dispatcher.refused(assignment, at: now)
        }
      }
      if let late = turn.lateAnswers[index], answer == .applied, let held = drop(late, at: now) {
        switchboard.add(.cancel(Cancel(.leases([held.token]), cause: "the job is over")), to: held.worker)
      }
      if let submission = turn.submissions[index], case .inserted(let count, let differing) = answer {
        accepted(submission, inserted: count, differing, at: now)
      }
      if let calls = turn.calls[index], case .inserted(let count, _) = answer,
        case .submit(let jobs) = turn.events[index]
      {
        made(calls, inserted: count, of: jobs.count, at: now)
      }
    }
    for (worker, tokens) in turn.cancelled.inOrder {
      switchboard.add(.cancel(Cancel(.leases(tokens), cause: "the job is over")), to: worker)
    }
  }

  /// Without kept answers everything is as it is for whoever keeps none, so once is enough.
  func tellOnce(_ message: StaticString, _ error: LedgerError) {
    guard cacheFaults.insert(error.message).inserted else { return }
    ports.log.record(.warning, message, [LogField("cause", error.message)])
  }
}
