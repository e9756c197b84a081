package import Pipeline

/// The only role that touches the ledger: takes jobs in, gives them out, settles their outcomes, serves rows.
///
/// Each turn of its loop drains the inbox, commits all that follows from it in one transaction, and only then sends what
/// follows from the commit. What comes during a commit is taken in meanwhile, for the transaction of the next turn; what
/// needs none is answered at once.
package actor Aggregator {
  let inbox: any Inbox
  let ledger: any Ledger
  /// Under which it owns the ledger.
  var term = LedgerTerm.none
  package let ports: RolePorts
  let settings: AggregatorSettings
  /// nil when every job is done anew.
  let caching: AnswerCaching?
  let turning: @Sendable () -> Void
  let refusals: @Sendable () async -> RefusalReport
  private let ledgerFails: @Sendable (LedgerError?) -> Void
  let connections: Connections
  package internal(set) var dispatcher: Dispatcher
  var registry = WorkerRegistry()
  var followers = Followers()
  var acks = AckBatch()
  var backlog: Backlog
  /// Jobs in the ledger that are not over.
  var openJobs = 0
  /// Jobs came in that may start at once, or more can start than one turn gives out.
  var hasNewJobs = false
  /// Fetchers would take more than memory has to give.
  var isStarved = false
  /// Jobs that were granted to workers that are gone.
  var unsent: [Dispatcher.Assignment] = []
  package internal(set) var interruptions = Interruptions()
  var submitters = Submitters()
  /// Who wants workers drained that have not said yet that they drain.
  var drainWishes: [WorkerID: Ask] = [:]
  /// How many workers `up` said that it runs, and until when that is believed, in milliseconds spent listening.
  var fleetSize: (question: StatusQuestion, until: Int64)?
  var sharing = Sharing()
  var chores = Chores()
  var runs = Runs()
  var health = LedgerHealth()
  var questions = QuestionTable.all
  /// Questions that wait for the commit.
  var waitingAsks: [Ask] = []
  /// Answers to orders, of which fewer are under way at a time. Askers repeat themselves until they are answered; a
  /// repetition must change nothing, and still hear what the first one did.
  var answered = LastKept<UUIDv7, Tell>(most: 64)
  var retryBudget: RetryBudget
  let startedAt: Moment
  /// What it has done since then.
  var work = AggregatorWork()
  var meter = AggregatorMeter()
  var nextMetrics: Moment?
  /// When the turn under way had its messages, by the clock's microseconds; 0 when turns are not measured.
  private var turnStartedAt: Int64 = 0
  var recent: RecentEnds
  var oldest = KnownOldest()
  /// What it cost that hosts were given up.
  var givenUpHosts = GivenUpHosts()
  /// Of its loop, so far.
  package private(set) var turns: UInt64 = 0
  /// What follows from messages that came during a commit, for the next one; nil until leases of before are taken up.
  var coming: Transaction?
  /// How many messages those are, and their bytes where that matters: a commit can fail for hours.
  var (heard, heardBytes) = (0, 0)
  /// What is being committed.
  var committing = Transaction()
  /// What came while the ledger was read, or failed; it is taken first.
  var waiting = WaitingDeliveries()
  var strays = StrayMessages()
  var refused = RareReport(everyMilliseconds: 60_000)
  var newcomers = Newcomers()
  /// Why the ledger could not be written or read last; nil since it could.
  var ledgerFault: LedgerError? {
    didSet { if ledgerFault != oldValue { ledgerFails(ledgerFault) } }
  }
  /// What went wrong with kept answers, each told once.
  var cacheFaults: Set<String> = []

  /// Messages of one turn.
  static let burst = 1_000
  /// Jobs that one turn gives out. It takes more results than that, so that they never pile up before it.
  static let mostGivenOut = 500
  static let ledgerRetryMilliseconds: Int64 = 200
  /// How often to report a commit or a read that fails again and again.
  static let ledgerReportMilliseconds: Int64 = 15_000

  /// - Parameters:
  ///   - inbox: Bound already, so that nothing sent to it is lost.
  ///   - caching: Answers that are kept for later jobs; nil for none.
  ///   - refusals: Tells which clients were not let in.
  ///   - turning: Called before each turn, and after each commit or read that failed: a loop that no longer calls it stands still.
  ///   - ledgerFails: Called with the fault when a commit or a read fails and is repeated, and with nil once it succeeds.
  package init(
    settings: AggregatorSettings, inbox: any Inbox, ledger: any Ledger, ports: RolePorts,
    caching: AnswerCaching? = nil,
    refusals: @escaping @Sendable () async -> RefusalReport = { RefusalReport() },
    turning: @escaping @Sendable () -> Void = {},
    ledgerFails: @escaping @Sendable (LedgerError?) -> Void = { _ in }
  ) {
    self.caching = caching
    self.refusals = refusals
    self.turning = turning
    self.ledgerFails = ledgerFails
    self.settings = settings
    self.inbox = inbox
    self.ledger = ledger
    self.ports = ports
    startedAt = ports.clock.now
    recent = RecentEnds(at: startedAt)
    connections = Connections(ports: ports, inbox: inbox)
    dispatcher = Dispatcher(settings: settings)
    retryBudget = RetryBudget(percent: settings.retryBudgetPercent)
    backlog = Backlog(capacity: settings.mostInMemory)
  }

  /// Works until its task is cancelled, or another aggregator has taken over the ledger.
  package func run() async throws {
    do {
      try await work()
    } catch {
      // Where it cannot resign, or need not, the next one takes over all the same.
      try? await ledger.resign(term)
      throw error
    }
  }

  private func work() async throws {
    try await recover()
    coming = Transaction()
    while true {
      turning()
      var transaction = try await takeIn()
      let now = ports.clock.now
      try await advance(&transaction, at: now)
      try await schedule(&transaction, at: now)
      await storeAnswers(of: transaction)
      // What was added so far, slots at hosts above all, needs no commit.
      connections.flush()
      let made = try await commit(transaction)
      try await publish(exchange(&committing, with: Transaction()), made, at: now)
    }
  }

  /// What came, and what earlier answers make needless of it.
  private func takeIn() async throws -> Transaction {
    let burst = try await nextBurst()
    turns += 1
    if isMeasured { turnStartedAt = ports.clock.microseconds }
    await handle(burst)
    (hasNewJobs, heard, heardBytes) = (false, 0, 0)
    var transaction = exchange(&coming, with: Transaction()) ?? Transaction()
    try await settleLate(&transaction)
    let now = ports.clock.now
    await answerSubmissions(&transaction, at: now)
    await renew(&transaction, at: now)
    return transaction
  }

  /// What happens by itself: workers that are gone, times that have come, orders that take several turns.
  private func advance(_ transaction: inout Transaction, at now: Moment) async throws {
    await lookAfterOthers(&transaction, at: now)
    settleOverdue(&transaction, at: now)
    for run in runs.overdue(at: now) { end(run, .overdue(run, now), &transaction, at: now) }
    requeueUnsent(&transaction, at: now)
    try await learnShares(at: now)
    endPauses(&transaction, at: now)
    for id in dispatcher.dueRetries(at: now) { transaction.add(id, .becameDue) }
    try await readBacklog(&transaction, at: now)
    try await sweep(&transaction, at: now)
    await abandonBatches(&transaction, at: now)
  }

  /// Who goes now.
  private func schedule(_ transaction: inout Transaction, at now: Moment) async throws {
    try await admitNew(&transaction, at: now)
    endGivenUp(&transaction, at: now)
    grantHostSlots(at: now)
    try await beginRuns(&transaction, at: now)
    advanceRuns(&transaction, at: now)
    giveOut(&transaction, at: now)
    transaction.waits = dispatcher.takeHostWaits(at: now)
  }

  /// What is true now is said.
  private func publish(_ transaction: Transaction, _ made: ChangesMade, at now: Moment) async throws {
    say(transaction, made, at: now)
    noteShrunkHosts()
    if let acknowledged = acks.take(at: now, isQuiet: dispatcher.isQuiet) {
      for (worker, tokens) in acknowledged.inOrder {
        connections.add(.ack(Ack(tokens: tokens)), to: worker)
      }
      followers.owe()
    }
    try await serveFollowers()
    await answerWaitingAsk()
    await lookForOldest(at: now)
    if dispatcher.isDrained, heard == 0 { try await sayDrained() }
    await forgetOldBatches(at: now)
    // The ledger forgets cancelled batches to which no job came, and memory would grow by them.
    if interruptions.begun >= Changes.emptyBatchesKept { await forgot() }
    await careForLedger(at: now)
    try await lookAfterLedger(at: now)
    connections.flush()
    if isMeasured { meter.turned(microseconds: ports.clock.microseconds - turnStartedAt) }
    await showMetrics(at: now)
  }

  private func giveOut(_ transaction: inout Transaction, at now: Moment) {
    // Results would take what room is left for those who clear up.
    dispatcher.isHeldBack = health.standing.isReserveGivenUp
    let assignments = dispatcher.assignments(at: now, atMost: Self.mostGivenOut)
    for assignment in assignments { transaction.add(assignment) }
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
    if hasNewJobs || backlog.canRead(where: hasRoom) || runs.mayWait || !unsent.isEmpty || followers.areOwed
      || !waitingAsks.isEmpty || heard > 0
    {
      return ports.clock.now
    }
    return [
      dispatcher.nextWake, acks.due, registry.nextWake, backlog.nextLook, chores.nextWake, runs.nextDeadline,
      oldest.nextWake, health.nextLook, sharing.nextPauseEnd,
    ].compactMap(\.self).min()
  }

  /// Takes messages in for the next commit.
  func handle(_ burst: [Delivery]) async {
    var transaction = exchange(&coming, with: Transaction()) ?? Transaction()
    for delivery in burst { await handle(delivery, &transaction) }
    coming = transaction
    heard += burst.count
  }

  private func handle(_ delivery: Delivery, _ transaction: inout Transaction) async {
    switch delivery {
    case .envelope(let envelope):
      work.messages += 1
      if admits(envelope) { await handle(envelope, &transaction) }
    case .lane(let notice): await take(notice, &transaction)
    }
  }

  private func handle(_ envelope: Envelope, _ transaction: inout Transaction) async {
    switch envelope.message {
    case .submit(let submit): await take(submit, over: envelope.secret, &transaction)
    case .result(let result): settle(result, &transaction)
    case .credit(let credit): dispatcher.received(credit)
    case .hello(let hello): await meet(hello, in: envelope, &transaction)
    case .query(let query): await take(query, over: envelope.secret, &transaction)
    case .ask(let ask): await take(ask, over: envelope.secret, &transaction)
    case .cancel(let cancel): take(cancel, &transaction)
    case .giveBack(let giveBack): take(giveBack, &transaction)
    case .bye(let bye): await take(bye, &transaction)
    case .drain: takeDrain()
    case .hostSlotRequest(let request): take(request)
    case .roster, .receipt, .job, .document, .ack, .answer, .tell, .hostSlotGrant:
      strays.came(envelope.message, "message not for an aggregator", to: ports.log)
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
}
