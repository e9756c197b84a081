import Pipeline

/// One transaction of the ledger for each turn, and what may be said once it is there.
extension Aggregator {
  /// Commits a transaction, however long it takes: until then nothing of it is sent. What became of it stands in
  /// `committing`.
  func commit(_ transaction: Transaction) async throws -> ChangesMade {
    committing = transaction
    committing.dropLate(at: ports.clock.now)
    var trouble = LedgerTrouble(report: "commit failed, trying again")
    while true {
      let changes = committing.changes(under: term)
      // After a failure also when nothing is left: what the first try did is to be learned.
      guard !changes.isEmpty || trouble.kind != nil else { return ChangesMade() }
      let made: ChangesMade
      do throws(LedgerError) {
        let (start, now) = (isMeasured ? ports.clock.microseconds : 0, ports.clock.now)
        made = try await listening(takingIn: coming != nil) { [ledger] () throws(LedgerError) in
          try await ledger.commit(changes, at: now)
        }
        if isMeasured { meter.committed(microseconds: ports.clock.microseconds - start) }
      } catch {
        if error.kind == .full, await makesRoom() { continue }
        try await waitOut(error, &trouble)
        committing.dropLate(at: ports.clock.now)
        continue
      }
      ledgerFault = nil
      health.wantsReserve = false
      work.commits += 1
      oldest.isStale = true
      if trouble.kind == nil {
        count(committing, made)
      } else {
        ports.log.record(.warning, "commits succeed again", [])
        chores.care.excuseAll(at: ports.clock.now)
        count(committing, made)
        try await countAnew()
      }
      return made
    }
  }

  /// Asks the ledger, however long it takes.
  func read<Answer: Sendable>(
    _ question: (any Ledger) async throws -> Answer
  ) async throws -> Answer {
    var trouble = LedgerTrouble(report: "read failed, trying again")
    while true {
      do {
        let answer = try await question(ledger)
        if trouble.kind != nil {
          ledgerFault = nil
          health.isUnreadable = false
          chores.care.excuseAll(at: ports.clock.now)
          ports.log.record(.warning, "reads succeed again", [])
        }
        return answer
      } catch let error as LedgerError {
        health.isUnreadable = true
        try await waitOut(error, &trouble)
      }
    }
  }

  /// Reports a fault that may pass, and waits before the next try; any other ends the aggregator.
  private func waitOut(_ error: LedgerError, _ trouble: inout LedgerTrouble) async throws {
    guard error.mayPass else { throw error }
    turning()
    let now = ports.clock.now
    if trouble.kind != error.kind || trouble.nextReport.map({ now >= $0 }) ?? true {
      ports.log.record(.error, trouble.report, [LogField("cause", error.message)])
      trouble.nextReport = now.advanced(byMilliseconds: Self.ledgerReportMilliseconds)
    }
    trouble.kind = error.kind
    ledgerFault = error
    // What is committed is not to wait for a read that follows it.
    connections.flush()
    await measureLedger(at: now)
    try await lookAfterLedger(at: now)
    nextMetrics = nil
    await showMetrics(at: now)
    try await listenMeanwhile(until: now.advanced(byMilliseconds: Self.ledgerRetryMilliseconds))
  }

  func say(_ transaction: Transaction, _ made: ChangesMade, at now: Moment) {
    for (token, worker) in transaction.acknowledged { acks.acknowledge(token, of: worker, at: now) }
    // Of a batch that is cancelled nothing else is to be said as if it went on.
    for (step, answer) in zip(transaction.batches, made.batches) { say(step, answer) }
    for (submission, insertion) in zip(transaction.submissions, made.submissions) {
      guard let terms = insertion.terms else { continue }
      dispatcher.set(
        terms, of: submission.incoming.batch, isPaused: insertion.isPaused, isNew: true, at: now)
    }
    if let page = transaction.swept { swept(page, at: now) }
    for (submission, insertion) in zip(transaction.submissions, made.submissions) {
      if let submit = submission.submit {
        accepted(submission, submit, insertion, at: now)
      } else {
        self.made(submission, inserted: insertion.count, at: now)
      }
    }
    for (step, applied) in zip(transaction.jobs, made.jobs) { say(step, applied, at: now) }
    for (worker, tokens) in transaction.cancelled.inOrder {
      connections.add(.cancel(Cancel(.leases(tokens), cause: "the job is over")), to: worker)
    }
  }

  private func say(_ step: Transaction.JobStep, _ applied: Bool, at now: Moment) {
    switch step.next {
    case .sends(let assignment): say(assignment, isGranted: applied, at: now)
    case .resumes(let resumption): if !applied { drop(resumption, at: now) }
    case .drops:
      guard applied, let held = dispatcher.dropped(step.change.job, at: now) else { break }
      connections.add(.cancel(Cancel(.leases([held.token]), cause: "the job is over")), to: held.worker)
    case .nothing: break
    }
  }

  /// A job that was not granted is over, or has another state than in memory, so it is read from the ledger again.
  private func say(_ assignment: Dispatcher.Assignment, isGranted: Bool, at now: Moment) {
    guard isGranted else {
      dispatcher.refused(assignment, at: now)
      leaveOut(assignment.order.job, at: now)
      // Its credit is another's, which may have to be read first.
      hasNewJobs = true
      return
    }
    guard let sequence = dispatcher.sent(assignment, watched: registry.watched) else {
      unsent.append(assignment)
      return
    }
    measureWait(of: assignment, at: now)
    var order = assignment.order
    order.pass(.aggregator, at: ports.clock.microseconds)
    order.caching = cachePolicy(for: order.job)
    connections.add(.job(order), to: assignment.fetcher, laneSequence: sequence)
  }
}

/// A commit or a read that fails again and again.
private struct LedgerTrouble {
  let report: StaticString
  /// Of the last fault; nil before the first.
  var kind: LedgerError.Kind?
  var nextReport: Moment?
}
