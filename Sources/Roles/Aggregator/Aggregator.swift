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
  private let turning: @Sendable () -> Void
  let switchboard: Switchboard
  var dispatcher: Dispatcher
  var workforce = Workforce()
  var rule: FleetRule
  var followers = Followers()
  var unhurried = Unhurried()
  var backlog: Backlog
  /// Jobs in the ledger that are not over.
  var openJobs = 0
  var nextUpkeep: Moment?
  /// Jobs came in that may start at once, or more can start than one turn gives out.
  var hasNewJobs = false
  /// Fetchers would take more than memory has to give.
  var isStarved = false
  /// Jobs that were granted to workers that are gone.
  var unsent: [Dispatcher.Assignment] = []
  /// Cancelled batches whose jobs in the ledger are not all ended yet.
  var cancelling: [CancelledBatch] = []
  var unseenCancels = UnseenCancels()
  var interruptions = Interruptions()
  var submitters = Submitters()
  /// Requeues under way, one after another.
  var requeueing: [Requeueing] = []
  /// When to look for batches whose producers are gone.
  var nextSearchForAbandoned: Moment?
  var runs = Runs()
  var answered = AnsweredOnce()
  var retryBudget: RetryBudget
  let startedAt: Moment
  /// What it has done since then.
  var work = StatusReport.Work()
  /// What it cost that hosts were given up.
  var givenUpHosts = GivenUpHosts()
  /// Of its loop, so far.
  private(set) var turns: UInt64 = 0
  /// What came while a commit was under way or failed; it is taken first.
  var waiting = WaitingDeliveries()
  private var strays = StrayMessages()
  /// Why the last commit failed; nil since one succeeded.
  var commitFault: String?
  /// What went wrong with kept answers, each told once.
  private var cacheFaults: Set<String> = []

  /// Messages of one turn.
  static let burst = 1_000
  /// Jobs that one turn gives out. It takes more results than that, so that they never pile up before it.
  static let mostGivenOut = 500
  static let commitRetryMilliseconds: Int64 = 200
  /// How often a commit that fails again and again is told.
  static let commitReportMilliseconds: Int64 = 15_000

  /// - Parameters:
  ///   - inbox: Bound already, so that nothing sent to it is lost.
  ///   - keeping: Answers that are kept for later jobs; nil for none.
  ///   - turning: Called before each turn, and after each commit that failed: a loop that no longer calls it stands still.
  public init(
    settings: AggregatorSettings, inbox: any Inbox, ledger: any Ledger, ports: RolePorts,
    keeping: ResultKeeping? = nil, turning: @escaping @Sendable () -> Void = {}
  ) {
    self.keeping = keeping
    self.turning = turning
    self.settings = settings
    rule = FleetRule(settings.program)
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
      turning()
      let burst = try await nextBurst()
      turns += 1
      var turn = Turn()
      hasNewJobs = false
      for delivery in burst { await handle(delivery, &turn) }
      let now = ports.clock.now
      await answerSubmissions(&turn, at: now)
      await renew(&turn, at: now)
      await lookAfterOthers(&turn, at: now)
      settleOverdue(&turn, at: now)
      endOverdueRuns(&turn, at: now)
      takeBackUnsent(&turn, at: now)
      for id in dispatcher.dueRetries(at: now) { turn.add(.becameDue(id)) }
      try await readBacklog(&turn, at: now)
      try await endCancelled(&turn, at: now)
      try await endUnseenCancels(&turn, at: now)
      try await requeueDead(&turn, at: now)
      await abandonBatches(&turn, at: now)
      endCondemned(&turn, at: now)
      letVisitsGo(at: now)
      try await beginRuns(&turn, at: now)
      advanceRuns(&turn, at: now)
      giveOut(&turn, at: now)
      await keepAnswers(of: turn)
      let answers = try await commit(&turn)
      say(turn, answers, at: now)
      noteShrunkHosts()
      if let acknowledged = unhurried.take(at: now, isQuiet: dispatcher.isQuiet) {
        for (worker, tokens) in acknowledged.inOrder {
          switchboard.add(.ack(Ack(tokens: tokens)), to: worker)
        }
        followers.owe()
      }
      try await serveFollowers()
      if dispatcher.isDrained { try await sayDrained() }
      await forgetOldBatches(at: now)
      await forgetInterruptions()
      switchboard.flush()
    }
  }

  private func giveOut(_ turn: inout Turn, at now: Moment) {
    let assignments = dispatcher.assignments(at: now, atMost: Self.mostGivenOut)
    for assignment in assignments {
      do throws(FrameTooLarge) {
        try EnvelopeCodec.check(.job(assignment.order))
        turn.add(assignment)
      } catch {
        cannotSend(assignment, error, &turn, at: now)
      }
    }
    hasNewJobs = hasNewJobs || assignments.count == Self.mostGivenOut
    isStarved = assignments.count < Self.mostGivenOut && dispatcher.hasFreeCredit
  }

  private func nextBurst() async throws -> [Delivery] {
    guard waiting.isEmpty else {
      return waiting.takeAll()
    }
    return try await inbox.receive(atMost: Self.burst, until: nextWake)
  }

  private var nextWake: Moment? {
    if hasNewJobs || backlog.canRead(where: hasRoom) || !cancelling.isEmpty || !unseenCancels.isEmpty
      || !requeueing.isEmpty || runs.mayWait || !unsent.isEmpty || followers.areOwed
    {
      return ports.clock.now
    }
    return [
      dispatcher.nextWake, unhurried.due, workforce.nextWake, backlog.nextLook, nextUpkeep, runs.nextDeadline,
      nextSearchForAbandoned,
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
    case .drain: takeDrain()
    case .visit(let visit): take(visit)
    case .roster, .receipt, .job, .document, .ack, .answer, .go:
      strays.came(message, "message not for an aggregator", to: ports.log)
    }
  }

  /// Only a role in its own process may end it: otherwise any peer that reaches the inbox could stop the fleet.
  private func takeDrain() {
    guard settings.workersMayLive else { return dispatcher.drain() }
    if work.drainsRefused == 0 {
      ports.log.record(
        .warning, "ignored a peer's message to drain: only the fleet's own process may send it", [])
    }
    work.drainsRefused += 1
  }

  /// Commits a turn, however long it takes: until then nothing of it is sent.
  func commit(_ turn: inout Turn) async throws -> [LedgerAnswer] {
    guard !turn.events.isEmpty else { return [] }
    var reported: LedgerError?
    var nextReport = ports.clock.now
    while true {
      do throws(LedgerError) {
        let (events, now) = (turn.events, ports.clock.now)
        let answers = try await listening { [ledger] () throws(LedgerError) in
          try await ledger.commit(events, at: now)
        }
        commitFault = nil
        work.commits += 1
        if reported == nil {
          count(turn, answers)
        } else {
          ports.log.record(.warning, "commits succeed again", [])
          await countAnew()
        }
        return answers
      } catch {
        guard error.mayPass else { throw error }
        turning()
        if reported?.kind != error.kind || ports.clock.now >= nextReport {
          ports.log.record(.error, "commit failed, trying again", [LogField("cause", error.message)])
          nextReport = ports.clock.now.advanced(byMilliseconds: Self.commitReportMilliseconds)
        }
        reported = error
        commitFault = error.message
        try await listenMeanwhile(
          until: ports.clock.now.advanced(byMilliseconds: Self.commitRetryMilliseconds))
        let now = ports.clock.now
        turn.dropLate(at: now, requeueIsLate: requeueing.first?.query.isLate(at: now) ?? true)
      }
    }
  }

  private func say(_ turn: Turn, _ answers: [LedgerAnswer], at now: Moment) {
    for (index, wish) in turn.cancels.inOrder {
      if case .cancelled(let jobs) = answers[index] { cancelled(wish, jobs: jobs) }
    }
    if let page = turn.requeued { requeued(page, at: now) }
    for (index, answer) in answers.enumerated() {
      if let assignment = turn.grants[index] { say(assignment, answer, at: now) }
      if let resumption = turn.resumptions[index], answer != .applied { drop(resumption, at: now) }
      if let late = turn.lateAnswers[index], answer == .applied, let held = drop(late, at: now) {
        switchboard.add(.cancel(Cancel(.leases([held.token]), cause: "the job is over")), to: held.worker)
      }
      if let submission = turn.submissions[index], case .inserted(let count, let differing) = answer {
        accepted(
          submission, inserted: count, differing,
          isClosed: submission.closing.map { answers[$0] == .applied },
          at: now)
      }
      if let calls = turn.calls[index], case .inserted(let count, _) = answer,
        case .submit(let jobs, hosts: _, from: _) = turn.events[index]
      {
        made(calls, inserted: count, of: jobs.count, at: now)
      }
    }
    for (worker, tokens) in turn.cancelled.inOrder {
      switchboard.add(.cancel(Cancel(.leases(tokens), cause: "the job is over")), to: worker)
    }
  }

  /// A job that was not granted is over, or has another state than in memory, so it is read from the ledger again.
  private func say(_ assignment: Dispatcher.Assignment, _ answer: LedgerAnswer, at now: Moment) {
    guard answer == .applied else {
      dispatcher.refused(assignment, at: now)
      leaveOut(assignment.order.job, at: now)
      // Its credit is another's, which may have to be read first.
      hasNewJobs = true
      return
    }
    guard let sequence = dispatcher.sent(assignment) else {
      unsent.append(assignment)
      return
    }
    workforce.granted(assignment.order.lease.token, to: assignment.fetcher, sequence: sequence)
    var order = assignment.order
    order.pass(.aggregator, at: ports.clock.microseconds)
    order.keeping = keepingWish(for: order.job)
    switchboard.add(.job(order), to: assignment.fetcher, laneSequence: sequence)
  }

  /// Without a cache all jobs are simply done, so once is enough.
  func tellOnce(_ message: StaticString, _ error: LedgerError) {
    guard cacheFaults.insert(error.message).inserted else { return }
    ports.log.record(.warning, message, [LogField("cause", error.message)])
  }
}
