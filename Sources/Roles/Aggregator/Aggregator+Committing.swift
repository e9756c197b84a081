import Pipeline
import Scheduling

/// One transaction of the ledger for each turn, and what may be said once it is there.
extension Aggregator {
  /// Commits a transaction, however long it takes: until then nothing of it is sent.
  func commit(_ transaction: inout Transaction) async throws -> [LedgerAnswer] {
    if hasWaitedForRead { dropLate(&transaction) }
    hasWaitedForRead = false
    guard !transaction.steps.isEmpty else { return [] }
    var trouble = LedgerTrouble(report: "commit failed, trying again")
    while true {
      let answers: [LedgerAnswer]
      do throws(LedgerError) {
        let (events, now) = (transaction.events, ports.clock.now)
        let start = isMeasured ? ports.clock.microseconds : 0
        answers = try await listening { [ledger] () throws(LedgerError) in
          try await ledger.commit(events, at: now)
        }
        if isMeasured { meter.committed(microseconds: ports.clock.microseconds - start) }
      } catch {
        if error.kind == .full, await makesRoom(for: &transaction) { continue }
        try await waitOut(error, &trouble)
        dropLate(&transaction)
        continue
      }
      ledgerFault = nil
      health.wantsReserve = false
      work.commits += 1
      oldest.isStale = true
      if trouble.kind == nil {
        count(transaction, answers)
      } else {
        ports.log.record(.warning, "commits succeed again", [])
        care.excuseAll(at: ports.clock.now)
        count(transaction, answers)
        try await countAnew()
      }
      return answers
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
          care.excuseAll(at: ports.clock.now)
          ports.log.record(.warning, "reads succeed again", [])
        }
        return answer
      } catch let error as LedgerError {
        try await waitOut(error, &trouble)
        hasWaitedForRead = true
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
    showTrouble(error, at: now)
    try await listenMeanwhile(until: now.advanced(byMilliseconds: Self.ledgerRetryMilliseconds))
  }

  private func dropLate(_ transaction: inout Transaction) {
    transaction.dropLate(at: ports.clock.now)
  }

  func say(_ transaction: Transaction, _ answers: [LedgerAnswer], at now: Moment) {
    // Of a batch that is cancelled nothing else is to be said as if it went on.
    for (step, answer) in zip(transaction.steps, answers) {
      if case .cancels(let wish) = step.next, case .cancelled(let jobs) = answer {
        cancelled(wish, jobs: jobs)
      } else if case .terms(let batch, _, from: _, total: _) = step.event,
        case .terms(let terms, let isPaused) = answer
      {
        dispatcher.set(terms, of: batch, isPaused: isPaused, isNew: true, at: now)
      }
    }
    if let page = transaction.swept { swept(page, at: now) }
    for (step, answer) in zip(transaction.steps, answers) {
      switch (step.next, answer) {
      case (.sends(let assignment), _): say(assignment, answer, at: now)
      case (.resumes(let resumption), _) where answer != .applied: drop(resumption, at: now)
      case (.drops(let job), .applied):
        guard let held = drop(job, at: now) else { break }
        connections.add(.cancel(Cancel(.leases([held.token]), cause: "the job is over")), to: held.worker)
      case (.accepts(let submission), .inserted(let count, let differing)):
        accepted(
          submission, inserted: count, differing,
          isClosed: submission.closing.map { answers[$0] == .applied }, at: now)
      case (.makes(let calls), .inserted(let count, _)):
        guard case .submit(let jobs, hosts: _, links: _, from: _) = step.event else { break }
        made(calls, inserted: count, of: jobs.count, at: now)
      case (.pauses(let query, let scope, let isPaused), _):
        said(query, scope, isPaused: isPaused, wasChanged: answer == .applied)
      case (.endsPause(let scope), _): ended(scope, wasPaused: answer == .applied)
      case (.changes(let query, let batch), _): changed(query, batch, isKnown: answer != .stale)
      case (.nothing, _), (.resumes, _), (.drops, _), (.accepts, _), (.cancels, _), (.makes, _): break
      }
    }
    for (worker, tokens) in transaction.cancelled.inOrder {
      connections.add(.cancel(Cancel(.leases(tokens), cause: "the job is over")), to: worker)
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
    registry.granted(assignment.order.lease.token, to: assignment.fetcher, sequence: sequence)
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
