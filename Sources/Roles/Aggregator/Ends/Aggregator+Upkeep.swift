import Links
import Pipeline
import Recipes

/// What keeps the ledger from growing for ever.
extension Aggregator {
  private static let upkeepMilliseconds: Int64 = 30_000
  /// How long a passing batch is kept.
  private static let passingKeptMilliseconds: Int64 = 30_000

  /// Forgets batches that were over long ago, a step at a time.
  func forgetOldBatches(at now: Moment) async {
    guard let kept = settings.keepsBatchesMilliseconds, now >= chores.nextUpkeep ?? now else { return }
    let read = health.retention.limit(kept, isUnread: false, at: now)
    let unread = health.retention.limit(kept, isUnread: true, at: now)
    let began = ports.clock.microseconds
    do {
      let passed = now.advanced(byMilliseconds: -Self.passingKeptMilliseconds)
      _ = try await forget(.passing, before: passed)
      let step = try await forget(.old(unreadBefore: unread), before: read)
      openJobs = try await ledger.summary(batches: 0).jobs.open
      if step.jobs > 0 || !interruptions.isEmpty { await forgot() }
      if step.jobs > 0 {
        ports.log.record(.info, "jobs of old batches forgotten", [LogField("jobs", step.jobs)])
      }
      tell(step.gone)
      if step.next == nil {
        // Gives room back to the disk when much of the file is free.
        if try await measure().isWorthShrinking, chores.care.works.isEmpty { beginShrinking() }
        chores.nextUpkeep = now.advanced(byMilliseconds: Self.upkeepMilliseconds)
      } else {
        chores.nextUpkeep = CarePace.next(
          after: ports.clock.microseconds - began, at: ports.clock.now, isQuiet: dispatcher.isQuiet)
      }
    } catch {
      chores.nextUpkeep = now.advanced(byMilliseconds: Self.upkeepMilliseconds)
      ports.log.record(.warning, "old batches not forgotten", [LogField("cause", error.message)])
    }
  }

  /// Names the batches of which nothing is left. Calls of a run, and pings, are none that a user knows.
  func tell(_ gone: [LedgerBatch]) {
    for batch in gone where !batch.id.isOfCalls && !batch.id.isPassing {
      let name = batch.terms.name.map { [LogField("name", $0)] } ?? []
      ports.log.record(
        .info, "batch forgotten",
        [.batch(batch.id)] + name + [LogField("rows", batch.progress.rows), LogField("unread", batch.unread)])
    }
  }

  /// While nothing can be committed, too: then it matters most how much room there is.
  func measureLedger(at now: Moment) async {
    guard settings.keepsBatchesMilliseconds != nil, now >= chores.nextUpkeep ?? now else { return }
    chores.nextUpkeep = now.advanced(byMilliseconds: Self.upkeepMilliseconds)
    if let size = try? await ledger.size() { chores.care.size = size }
  }

  private func forget(
    _ rule: ForgettingRule, before moment: Moment
  ) async throws(LedgerError) -> ForgettingStep {
    try await listening { [ledger, term] () throws(LedgerError) in
      try await ledger.forget(rule, before: moment, from: nil, limit: LedgerTaskRun.jobs, under: term)
    }
  }

  /// After a start producers have so long to say that they are still there.
  private static let reunionMilliseconds: Int64 = 60_000
  private static let searchMilliseconds: Int64 = 30_000

  func lacksProducer(_ batch: BatchID, at now: Moment) -> Bool {
    now.milliseconds(since: startedAt) >= Self.reunionMilliseconds && !hasProducer(batch, at: now)
  }

  /// Closes batches that had no submission for long and whose producer is gone.
  func abandonBatches(_ transaction: inout Transaction, at now: Moment) async {
    guard let limit = settings.abandonsBatchesMilliseconds else { return }
    let next = chores.nextSearchForAbandoned ?? startedAt.advanced(byMilliseconds: Self.reunionMilliseconds)
    guard next <= now else {
      chores.nextSearchForAbandoned = next
      return
    }
    chores.nextSearchForAbandoned = now.advanced(byMilliseconds: Self.searchMilliseconds)
    do {
      let before = health.retention.limit(limit, isUnread: true, at: now)
      for batch in try await ledger.batches(.unfinished(before: before, limit: LedgerTaskRun.jobs)).items.map(
        \.id)
      where !hasProducer(batch, at: now) {
        transaction.add(.abandon(batch))
        ports.log.record(.warning, "batch abandoned: its producer is gone", [.batch(batch)])
      }
    } catch {
      ports.log.record(.warning, "abandoned batches not found", [LogField("cause", error.message)])
    }
  }

  /// Whether there is room for so many more open jobs; always for one submission. A refused producer asks again.
  func hasRoom(for submit: Submit) -> Bool {
    let jobs = submit.jobs.count
    if health.standing.isReserveGivenUp { return false }
    guard jobs > 0, openJobs > 0, openJobs + jobs > settings.mostOpenJobs else { return true }
    ports.log.record(
      .debug, "submission waits: too many jobs are open",
      [.batch(submit.batch), LogField("open", openJobs)])
    return false
  }

  /// The first try can have been committed although it seemed to fail: what it did, jobs that became ready among it, is
  /// not known from the answers to the second.
  func countAnew() async throws {
    try await learnCancellations()
    sharing.isStale = true
    backlog.leftOutSome(at: ports.clock.now)
    runs.mayWait = true
    openJobs = try await read { try await $0.summary(batches: 0).jobs.open }
  }

  /// Counts the jobs that are open, and those that ended, from what a commit did.
  func count(_ transaction: Transaction, _ made: ChangesMade) {
    let now = ports.clock.now
    // Readers may hear that a batch is complete.
    if !transaction.batches.isEmpty { acks.note(at: now) }
    for (submission, insertion) in zip(transaction.submissions, made.submissions) {
      openJobs += insertion.count
      if submission.incoming.total != nil { acks.note(at: now) }
      if insertion.count > 0 { recent.submitted(insertion.count, at: now) }
      for (end, applied) in zip(submission.incoming.ends, insertion.ends) where applied {
        count(.ended(end), at: now)
      }
    }
    for (step, applied) in zip(transaction.jobs, made.jobs) where applied {
      count(step.change.event, at: now)
    }
  }

  private func count(_ event: JobChange.Event, at now: Moment) {
    if isMeasured { meter.applied(event) }
    switch event {
    case .ended(let settlement):
      openJobs -= 1
      acks.note(at: now)
      recent.ended(settlement.end, settlement.failure, at: now)
    case .requeued: openJobs += 1
    case .granted, .failedForNow, .becameDue, .returned, .crashed, .absolved: break
    }
  }
}

/// Failures that only the aggregator can see.
extension Failure {
  static func overdue(_ entry: Dispatcher.Entry) -> Failure {
    Failure(
      .deadline, at: .queue,
      "\(shown(entry.job)): not done by its deadline\(shown(entry.job.deadline))\(told(entry.lastFailure)); give it longer with --deadline or --finish-by"
    )
  }

  static func overdue(_ run: RunningRecipe, _ now: Moment) -> Failure {
    let running = run.stepStates.filter { $0.phase == .running }.map(\.name)
    let place = running.isEmpty ? "" : ", at \(running.joined(separator: ", "))"
    return Failure(
      .deadline, at: .queue,
      "run \(run.job.input ?? ""): not done by its deadline, \(now.milliseconds(since: run.begunAt)) ms after it was begun\(place); give it longer with --deadline"
    )
  }

  private static func shown(_ deadline: Moment?) -> String { deadline.map { " at \($0.timestamp)" } ?? "" }

  /// For a job that memory never saw.
  static func overdue(_ job: Job, attempts: UInt16) -> Failure {
    Failure(
      .deadline, at: .queue,
      "\(shown(job)): not done by its deadline, after \(attempts) attempts; give it longer with --deadline or --finish-by"
    )
  }

  static func unsound(_ worker: WorkerID) -> Failure {
    Failure(.underlying, at: .page, "worker \(worker): its answer cannot be a part of a row")
  }

  static func cancelled(_ cause: String, after last: Failure? = nil) -> Failure {
    Failure(.cancelled, at: .queue, "cancelled: \(cause)\(told(last))")
  }

  static func differing(from batch: BatchID, _ jobs: DifferingJobs) -> Failure {
    Failure(
      .invalidInput, at: .input,
      "submit to batch \(batch): ordinal \(jobs.first) is not what the batch has there, so nothing was changed; use another batch"
    )
  }

  static func taken(_ batch: BatchID) -> Failure {
    Failure(
      .invalidInput, at: .input,
      "submit to batch \(batch): another process is submitting to it; wait for its end, or use another batch")
  }

  static func withoutLedger(_ batch: BatchID, _ missing: LedgerError) -> Failure {
    Failure(.underlying, at: .queue, "submit to batch \(batch): \(missing.message)")
  }

  static func tooFewJobs(_ submit: Submit) -> Failure {
    Failure(
      .invalidInput, at: .input,
      "submit to batch \(submit.batch): it has more jobs than the \(submit.total ?? 0) that were submitted now; use another batch"
    )
  }

  static func poisoned(_ entry: Dispatcher.Entry) -> Failure {
    Failure(
      .poisoned, at: .queue,
      "\(shown(entry.job)): \(JobLife.crashesUntilPoisoned) workers died on it; it will not be tried again")
  }

  /// So many pages wait for their endpoints that this one cannot.
  static func tooManyOEmbedContinuations(_ entry: Dispatcher.Entry, to endpoint: String) -> Failure {
    Failure(
      .underlying, at: .queue,
      "\(shown(entry.job)): \(printableLink(endpoint)) was not asked, as too many pages wait for their oEmbed endpoints; run it again later",
      retryable: true)
  }

  /// It would be tried again, were it not for all the others that are.
  func withoutRetry(_ budget: RetryBudget) -> Failure {
    var failure = self
    failure.message +=
      "; not tried again: the retries of this run are used up, as too much fails; run it again later, or raise --retry-budget above \(budget.percent)%"
    return failure
  }
}
