import Links
import Pipeline

/// How jobs come to their one outcome.
extension Aggregator {
  func settle(_ result: JobResult, _ transaction: inout Transaction) {
    let now = ports.clock.now
    transaction.acknowledged.append((result.lease.token, result.sender))
    guard dispatcher.mayBe(result), mayAnswer(result) else {
      work.strays += 1
      return
    }
    let result = sound(result)
    resume([result.lease.token], by: result.sender, &transaction, at: now)
    dispatcher.release(result.lease.token, at: now)
    if let continuation = result.continuation {
      if continuation.oembed == nil, result.caching == nil {
        dispatcher.jobs[result.job]?.isUncacheable = true
      }
      sendOn(continuation, under: result.lease.token, &transaction, at: now)
      return
    }
    if result.caching?.isUnchanged == true {
      transaction.unchanged.append(result)
      return
    }
    guard let entry = dispatcher.entry(under: result.lease.token) else {
      takeLate(result, &transaction)
      return
    }
    if result.failure?.kind == .cancelled, !result.standsAnyway {
      // What the aggregator cancels is over before its worker hears of it: another peer cancelled this, which it may not.
      askAnew(entry, under: result.lease.token, &transaction, at: now)
      return
    }
    learn(from: result, at: now)
    var told: Failure?
    if let failure = result.failure {
      told = postpone(entry, under: result.lease.token, failure, &transaction, at: now)
      guard told != nil else { return }
    }
    keep(result, of: entry.job, &transaction, at: now)
    let settled = settle(entry.job, under: result.lease, result.answer(failing: told), &transaction, at: now)
    if let host = told?.givenUpHost { givenUpHosts.add(host, jobs: settled) }
  }

  /// The worker that holds the job, or a decoder to which that can have given its document.
  private func mayAnswer(_ result: JobResult) -> Bool {
    guard let holder = dispatcher.fetcher(under: result.lease.token), holder != result.sender,
      let fetcher = registry.workers[holder], fetcher.address != nil,
      let sender = registry.workers[result.sender], sender.address != nil
    else { return true }
    return sender.role == .decoder && sender.locality == fetcher.locality
  }

  /// What cannot go into a row is a failure of its worker: another may do better. What this process itself has found can.
  private func sound(_ result: JobResult) -> JobResult {
    let oembed = result.continuation?.oembed
    guard settings.workersMayLive,
      !MembersCheck.areSound(result.members) || !MembersCheck.areSound(oembed?.members ?? [])
        || !MembersCheck.areSound(oembed?.card ?? [])
    else { return result }
    ports.log.record(
      .warning, "worker's answer refused: it cannot be a part of a row",
      [.job(result.job), .worker(result.sender)])
    return JobResult(
      job: result.job, sender: result.sender, lease: result.lease, failure: .unsound(result.sender),
      members: [], milliseconds: result.milliseconds)
  }

  /// What an attempt tells about its host, and about how often attempts fail.
  private func learn(from result: JobResult, at now: Moment) {
    if isMeasured { meter.attempted(milliseconds: Int64(result.milliseconds)) }
    if result.lease.attempt == 1 { retryBudget.firstAttemptEnded() }
    dispatcher.learned(from: result, at: now)
    if let failure = result.sideFailure ?? result.failure, failure.retryAfterMilliseconds != nil,
      let host = result.failedHost
    {
      dispatcher.asked(
        host: host, by: failure.kind, until: settings.retry.peace(after: failure, at: now),
        budget: settings.retry.longestPeaceInAll, at: now)
    }
  }

  /// Ends a job with its answer, and those that wait for its row.
  ///
  /// - Returns: How many jobs have their rows now.
  func settle(
    _ job: Job, under lease: Lease?, _ answer: RowOutcome, _ transaction: inout Transaction, at now: Moment
  ) -> Int {
    transaction.end(Settlement(of: job, under: lease, answer))
    let waiters = settleWaiters(of: job, answer, &transaction, at: now)
    _ = dispatcher.removed(job.id, at: now)
    return 1 + waiters
  }

  /// A worker answered a job without holding it. The ledger says whether it is over; what memory does not have of it is
  /// read from there.
  private func takeLate(_ result: JobResult, _ transaction: inout Transaction) {
    guard let entry = dispatcher.jobs[result.job] else {
      transaction.late.append(result)
      return
    }
    // A run goes on by what is committed for sure.
    guard !runs.isCall(entry.job) else { return }
    var settlement = Settlement(of: entry.job, under: result.lease, result.answer)
    // The attempt of a worker that was taken for dead is not charged, and may yet succeed.
    if settlement.end == .done, result.lease.attempt > entry.attempts { settlement.lease = nil }
    transaction.end(settlement, then: .drops)
  }

  /// Ends the jobs that were answered late and that the ledger alone has. Of those that are over there nothing follows.
  func settleLate(_ transaction: inout Transaction) async throws {
    guard !transaction.late.isEmpty else { return }
    let late = exchange(&transaction.late, with: [])
    // They are of one turn's messages, so few enough for one page.
    let open = try await read { try await $0.page(JobQuery(.ids(late.map(\.job)))) }.items
    let jobs = Dictionary(open.map { ($0.job.id, $0.job) }) { first, _ in first }
    for result in late {
      guard let job = jobs[result.job], !runs.isCall(job) else { continue }
      transaction.end(Settlement(of: job, under: result.lease, result.answer), then: .drops)
    }
  }

  /// The job goes out again without charge, unless its batch is cancelled.
  func askAnew(
    _ entry: Dispatcher.Entry, under token: LeaseToken, _ transaction: inout Transaction, at now: Moment
  ) {
    if let cause = interruptions[entry.job.batch] {
      return cancel(entry, because: cause, &transaction, at: now)
    }
    transaction.add(entry.job.id, .returned(token))
    dispatcher.requeued(entry.job.id, crashed: false, at: now)
    hasNewJobs = true
  }

  /// A page leads on: the job goes out again, without charge, under the host that is next.
  private func sendOn(
    _ continuation: Continuation, under token: LeaseToken, _ transaction: inout Transaction, at now: Moment
  ) {
    guard let entry = dispatcher.entry(under: token) else { return }
    if let cause = interruptions[entry.job.batch] {
      return cancel(entry, because: cause, &transaction, at: now)
    }
    if let oembed = continuation.oembed, dispatcher.oembedBytes + oembed.bytes > Self.mostOEmbedBytes {
      var waiting = entry
      waiting.continuation = (continuation, entry.host)
      end(waiting, .tooManyOEmbedContinuations(entry, to: continuation.url), &transaction, at: now)
      return
    }
    transaction.add(entry.job.id, .returned(token))
    dispatcher.ledOn(
      entry.job.id, continuation, host: (try? WebURL(continuation.url).hostKey) ?? entry.host, at: now)
    hasNewJobs = true
  }

  /// Of pages that are read and kept while their oEmbed endpoints are asked; further ones do without.
  private static let mostOEmbedBytes = 64 << 20

  /// Bytes of rows that one turn joins for waiters, but for the last.
  private static let mostWaitersBytes = 4 << 20

  /// Waiters whose rows would make the turn too large stay, and ask for themselves when the job is removed.
  ///
  /// - Returns: How many have their rows now.
  private func settleWaiters(
    of job: Job, _ answer: RowOutcome, _ transaction: inout Transaction, at now: Moment
  ) -> Int {
    var completed = 0
    for waiter in dispatcher.waiters(of: job.id) {
      guard transaction.waitersBytes < Self.mostWaitersBytes, RowComposer.fits(answer, for: waiter)
      else { break }
      transaction.add(waiters: Settlement(of: waiter, answer))
      completed += 1
    }
    dispatcher.completed(first: completed, of: job.id)
    return completed
  }

  /// Schedules another attempt, when the failure is one that may pass and the batch is not being ended.
  ///
  /// - Returns: The failure that ends the job, as another attempt could not help, or too much fails as it is; nil when it is
  ///   postponed.
  private func postpone(
    _ entry: Dispatcher.Entry, under token: LeaseToken, _ failure: Failure, _ transaction: inout Transaction,
    at now: Moment
  ) -> Failure? {
    guard interruptions[entry.job.batch] == nil, !dispatcher.isRefused(token),
      let wait = settings.retry.wait(after: entry.attempts, failure, jitter: ports.random.fraction())
    else {
      var final = failure
      final.givenUpHost = dispatcher.givenUpHost(behind: failure, under: token)
      return final
    }
    guard retryBudget.spend() else { return failure.withoutRetry(retryBudget) }
    let moment = now.advanced(byMilliseconds: wait)
    transaction.add(entry.job.id, .failedForNow(token, until: moment, failure))
    if dispatcher.jobs.count >= settings.mostInMemory {
      _ = dispatcher.removed(entry.job.id, at: now)
      backlog.leftOutRetry(at: now)
    } else {
      dispatcher.postponed(entry.job.id, until: moment, after: failure, at: now)
    }
    // A fleet's log would have millions of them.
    ports.log.record(
      settings.workersMayLive ? .debug : .info, "job will be tried again",
      [
        .job(entry.job.id), .batch(entry.job.batch), LogField("in milliseconds", wait),
        LogField("cause", failure.message),
      ])
    return nil
  }

  func settleOverdue(_ transaction: inout Transaction, at now: Moment) {
    for entry in dispatcher.overdue(at: now) {
      end(entry, .overdue(entry), &transaction, at: now)
    }
  }

  /// Ends a job by our own decision, and tells the worker that is on it.
  func end(
    _ entry: Dispatcher.Entry, _ failure: Failure, _ transaction: inout Transaction, at now: Moment
  ) {
    transaction.end(Settlement(of: entry.job, ownAnswer(to: entry, failure, at: now), by: failure))
    if let held = dispatcher.dropped(entry.job.id, at: now) {
      transaction.cancel(held.token, at: held.worker)
    }
  }

  /// A job whose page is read does not fail because its oEmbed request takes too long or cannot be made.
  func ownAnswer(to entry: Dispatcher.Entry, _ failure: Failure, at now: Moment) -> RowOutcome {
    let milliseconds = now.milliseconds(since: entry.arrivedAt)
    guard failure.kind != .cancelled, let oembed = entry.continuation?.walk.oembed else {
      return .failed(failure, attempts: entry.attempts, milliseconds: milliseconds)
    }
    return .found(
      oembed.members(without: failure), oembed.failure, attempts: max(entry.attempts, 1),
      milliseconds: milliseconds)
  }
}

/// Ends by the aggregator's own decision.
extension Settlement {
  init(of job: Job, failing failure: Failure, attempts: UInt16 = 0, milliseconds: Int64 = 0) {
    let answer = RowOutcome.failed(failure, attempts: attempts, milliseconds: milliseconds)
    self.init(of: job, answer, by: failure)
  }

  /// Of one that cannot be begun: a dead letter, whatever kind of failure its sender named.
  init(of job: Job, refused failure: Failure, attempts: UInt16 = 0) {
    self.init(of: job, .failed(failure, attempts: attempts, milliseconds: 0))
  }

  fileprivate init(of job: Job, _ answer: RowOutcome, by failure: Failure) {
    self.init(of: job, answer, as: failure.kind == .cancelled ? .cancelled : nil)
  }
}
