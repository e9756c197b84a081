import Links
import Pipeline

/// How jobs come to their one outcome.
extension Aggregator {
  func settle(_ result: JobResult, _ turn: inout Turn) {
    let now = ports.clock.now
    unhurried.acknowledge(result.lease.token, of: result.sender, at: now)
    guard dispatcher.mayBe(result) else {
      work.strays += 1
      return
    }
    resume([result.lease.token], by: result.sender, &turn, at: now)
    letGo(result.lease.token, at: now)
    if let onward = result.onward {
      goOn(onward, under: result.lease.token, &turn, at: now)
      return
    }
    if result.keeping?.isUnchanged == true {
      turn.unchanged.append(result)
      return
    }
    var settlement = Settlement(
      job: result.job, lease: result.lease,
      end: result.failure == nil || result.standsAnyway ? .done : .dead,
      failure: result.standsAnyway ? nil : result.failure?.kind, row: result.row)
    guard let entry = dispatcher.entry(under: result.lease.token) else {
      // A run goes on by what is committed for sure.
      if runs.isCall(result.job) { return }
      if settlement.end == .done, dispatcher.jobs[result.job]?.spared.contains(result.lease.token) == true {
        settlement.lease = nil
      }
      turn.add(lateAnswer: settlement)
      return
    }
    if result.failure?.kind == .cancelled, !result.standsAnyway {
      goOnAfterCancel(entry, under: result.lease.token, &turn, at: now)
      return
    }
    if result.lease.attempt == 1 { retryBudget.firstAttemptEnded() }
    dispatcher.learned(from: result, at: now)
    if let failure = result.sideFailure ?? result.failure, failure.retryAfterMilliseconds != nil,
      let host = result.failedHost
    {
      dispatcher.pause(host: host, until: settings.retry.peace(after: failure, at: now))
    }
    var givenUpHost: String?
    if let failure = result.failure {
      var told = failure
      switch postpone(entry, under: result.lease.token, failure, &turn, at: now) {
      case .postponed: return
      case .isFinal:
        givenUpHost = dispatcher.givenUpHost(behind: failure, under: result.lease.token)
        told.givenUpHost = givenUpHost
      case .isTooMuch: told = failure.withoutRetry(retryBudget)
      }
      if told != failure {
        settlement.row = RowComposer.replace(failure, by: told, in: settlement.row) ?? settlement.row
      }
    }
    turn.add(.settle(settlement))
    keep(result, of: entry.job, &turn, at: now)
    let passengers = settlePassengers(of: entry.job, settlement, &turn, at: now)
    if let givenUpHost { givenUpHosts.add(givenUpHost, jobs: 1 + passengers) }
    _ = dispatcher.removed(result.job, at: now)
  }

  /// What the aggregator cancels is over before its worker hears of it: another peer cancelled this, which it may not.
  private func goOnAfterCancel(
    _ entry: Dispatcher.Entry, under token: LeaseToken, _ turn: inout Turn, at now: Moment
  ) {
    if let cause = interruptions[entry.job.batch] {
      end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &turn, at: now)
      return
    }
    turn.add(.giveBack(entry.job.id, token))
    dispatcher.returned(entry.job.id, crashed: false, at: now)
    hasNewJobs = true
  }

  /// A page leads on: the job goes out again, without charge, under the host that is next.
  private func goOn(_ onward: Onward, under token: LeaseToken, _ turn: inout Turn, at now: Moment) {
    guard let entry = dispatcher.entry(under: token) else { return }
    if let cause = interruptions[entry.job.batch] {
      end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &turn, at: now)
      return
    }
    if let detour = onward.detour, dispatcher.detourBytes + detour.bytes > Self.mostDetourBytes {
      var waiting = entry
      waiting.onward = (onward, entry.host)
      end(waiting, .dead, .tooManyDetours(entry, to: onward.url), &turn, at: now)
      return
    }
    turn.add(.giveBack(entry.job.id, token))
    dispatcher.ledOn(entry.job.id, onward, host: (try? WebURL(onward.url).hostKey) ?? entry.host, at: now)
    hasNewJobs = true
  }

  /// Of pages that are read and kept while their oEmbed endpoints are asked; further ones do without.
  private static let mostDetourBytes = 64 << 20

  /// Bytes of rows that one turn copies for passengers, but for the last.
  private static let mostCopiedBytes = 4 << 20

  /// Passengers whose copies would make the turn too large stay, and ask for themselves when the job is removed.
  ///
  /// - Returns: How many have their rows now.
  func settlePassengers(
    of job: Job, _ settlement: Settlement, _ turn: inout Turn, at now: Moment
  ) -> Int {
    var landed = 0
    for passenger in dispatcher.passengers(of: job.id) {
      guard turn.copiedBytes < Self.mostCopiedBytes,
        let row = RowComposer.copy(settlement.row, of: job, for: passenger)
      else { break }
      turn.add(
        copy: Settlement(
          job: passenger.id, lease: nil, end: settlement.end, failure: settlement.failure, row: row))
      unhurried.noteRow(at: now)
      landed += 1
    }
    dispatcher.landed(first: landed, of: job.id)
    return landed
  }

  enum Postponement {
    case postponed
    /// Another attempt could not help.
    case isFinal
    /// It could, but too much fails as it is.
    case isTooMuch
  }

  /// Schedules another attempt, when the failure is one that may pass and the batch is not being ended.
  func postpone(
    _ entry: Dispatcher.Entry, under token: LeaseToken, _ failure: Failure, _ turn: inout Turn, at now: Moment
  ) -> Postponement {
    guard interruptions[entry.job.batch] == nil, !dispatcher.isRefused(token),
      let wait = settings.retry.wait(after: entry.attempts, failure, jitter: ports.random.fraction())
    else { return .isFinal }
    guard retryBudget.spend() else { return .isTooMuch }
    let moment = now.advanced(byMilliseconds: wait)
    turn.add(.retry(entry.job.id, token, at: moment, cause: failure))
    if dispatcher.jobs.count >= settings.mostInMemory {
      _ = dispatcher.removed(entry.job.id, at: now)
      backlog.leftOutRetry(at: now)
    } else {
      dispatcher.postponed(entry.job.id, until: moment, after: failure, at: now)
    }
    ports.log.record(
      .info, "job will be tried again",
      [
        .job(entry.job.id), .batch(entry.job.batch), LogField("in milliseconds", wait),
        LogField("cause", failure.message),
      ])
    return .postponed
  }

  func settleOverdue(_ turn: inout Turn, at now: Moment) {
    for entry in dispatcher.overdue(at: now) { end(entry, .dead, .overdue(entry, now), &turn, at: now) }
  }

  /// A job of an earlier version's ledger that no message holds.
  func cannotSend(
    _ assignment: Dispatcher.Assignment, _ error: FrameTooLarge, _ turn: inout Turn, at now: Moment
  ) {
    guard let entry = dispatcher.withdrawn(assignment) else { return }
    end(entry, .dead, .tooLarge(entry, error), &turn, at: now)
  }

  /// Ends a job by our own decision, and tells the worker that is on it.
  func end(
    _ entry: Dispatcher.Entry, _ end: JobLife.End, _ failure: Failure, _ turn: inout Turn, at now: Moment
  ) {
    unhurried.noteRow(at: now)
    turn.add(.settle(ownEnd(of: entry, end, failure, at: now)))
    if let held = drop(entry.job.id, at: now) { turn.cancel(held.token, at: held.worker) }
  }

  /// A job is over, whatever a worker is doing. What that takes of its host is free when the worker lets go.
  ///
  /// - Returns: Who is on it.
  func drop(_ job: JobID, at now: Moment) -> (token: LeaseToken, worker: WorkerID)? {
    guard case .leased(let lease, let worker)? = dispatcher.jobs[job]?.place, workforce.isHeld(lease.token)
    else {
      _ = dispatcher.removed(job, at: now)
      return nil
    }
    _ = dispatcher.removed(job, isHeld: true, at: now)
    return (lease.token, worker)
  }

  /// No worker is on it any more.
  func letGo(_ token: LeaseToken, at now: Moment) {
    workforce.ended(token)
    dispatcher.letGo(token, at: now)
  }

  /// A job whose page is read does not fail because its detour takes too long or cannot be made.
  func ownEnd(
    of entry: Dispatcher.Entry, _ end: JobLife.End, _ failure: Failure, at now: Moment
  ) -> Settlement {
    let (job, milliseconds) = (entry.job, now.milliseconds(since: entry.arrivedAt))
    guard end == .dead, let detour = entry.onward?.walk.detour else {
      return ownEnd(of: job, end, failure, attempts: entry.attempts, milliseconds: milliseconds)
    }
    let row = detour.row(
      of: job, without: failure, attempts: max(entry.attempts, 1), milliseconds: milliseconds)
    return Settlement(
      job: job.id, lease: nil, end: detour.failure == nil ? .done : .dead, failure: detour.failure?.kind,
      row: row)
  }

  func ownEnd(
    of job: Job, _ end: JobLife.End, _ failure: Failure, attempts: UInt16, milliseconds: Int64
  ) -> Settlement {
    Settlement(
      job: job.id, lease: nil, end: end, failure: failure.kind,
      row: RowComposer.row(of: job, failure: failure, attempts: attempts, milliseconds: milliseconds))
  }
}
