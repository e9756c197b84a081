import Links
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
  let switchboard: Switchboard
  var dispatcher: Dispatcher
  var workforce = Workforce()
  var followers = Followers()
  var unhurried = Unhurried()
  /// Batches that were ended early, and why: what comes of them late is cancelled too, and nothing is retried.
  var interrupted: [BatchID: String] = [:]

  /// Messages of one turn.
  static let burst = 1_000
  static let commitRetryMilliseconds: Int64 = 200

  /// - Parameter inbox: Bound already, so that nothing sent to it is lost.
  public init(settings: AggregatorSettings, inbox: any Inbox, ledger: any Ledger, ports: RolePorts) {
    self.settings = settings
    self.inbox = inbox
    self.ledger = ledger
    self.ports = ports
    switchboard = Switchboard(ports: ports, inbox: inbox)
    dispatcher = Dispatcher(settings: settings)
  }

  /// Works until its task is cancelled.
  public func run() async throws {
    try await recover()
    while true {
      let burst = try await inbox.receive(atMost: Self.burst, until: nextWake)
      var turn = Turn()
      for delivery in burst { await handle(delivery, &turn) }
      let now = ports.clock.now
      await lookAfterWorkers(&turn, at: now)
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
    [dispatcher.nextWake, unhurried.due, workforce.nextWake].compactMap { $0 }.min()
  }

  private func handle(_ delivery: Delivery, _ turn: inout Turn) async {
    switch delivery {
    case .envelope(let envelope): await handle(envelope.message, &turn)
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
    case .roster, .receipt, .job, .document, .ack, .answer:
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
        return reported == nil ? answers : turn.answers(afterRepeating: answers)
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
          workforce.granted(
            assignment.order.lease.token, to: assignment.fetcher, sequence: assignment.laneSequence, at: now)
          switchboard.add(
            .job(assignment.order), to: assignment.fetcher, laneSequence: assignment.laneSequence)
        } else {
          dispatcher.refused(assignment, at: now)
        }
      }
      if let late = turn.lateAnswers[index], answer == .applied,
        case .leased(let lease, let worker) = dispatcher.removed(late, at: now)?.place
      {
        workforce.ended(lease.token)
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
}
