import Links
import Pipeline
import Recipes

/// Recipes that run: what follows from the end of a call is in the same transaction as that end.
extension Aggregator {
  /// Begins the runs in the ledger that were not begun here, and takes up again what others had begun.
  func beginRuns(_ transaction: inout Transaction, at now: Moment) async throws {
    guard runs.mayWait else { return }
    runs.mayWait = false
    // What this turn has ended is open in the ledger until it is committed.
    let ending = transaction.settled
    try await forEachPage(of: .waiting) { page in
      for open in page where runs[open.job.id] == nil && !ending.contains(open.job.id) {
        try await begin(open, &transaction, at: now)
      }
    }
  }

  private func begin(_ open: LedgerJob, _ transaction: inout Transaction, at now: Moment) async throws {
    let job = open.job
    var run: RunningRecipe
    do {
      run = try RunningRecipe(job, life: open.life.attempts, at: now)
    } catch {
      let attempts = open.life.attempts.saturating(plus: 1)
      transaction.end(Settlement(of: job, failing: error, attempts: attempts))
      return
    }
    var outcome = run.started().outcome
    try await retell(&run, &outcome)
    runs.insert(run)
    dispatcher.pays(run.job.batch, for: run.calls)
    makeCalls(run.openCalls, &transaction, at: now)
    if let outcome { finish(job.id, outcome, &transaction, at: now) }
  }

  /// Tells a run of the calls that ended before, in the order in which they did.
  private func retell(_ run: inout RunningRecipe, _ outcome: inout RecipeOutcome?) async throws {
    var number: UInt64 = 0
    while true {
      let rows = try await read { [calls = run.calls, number] in
        try await $0.rows(of: calls, after: number, limit: Self.burst, bytes: 8 << 20)
      }
      guard let last = rows.last else { return }
      for row in rows {
        outcome = run.ended(row.ordinal, row.failure, row: row.json).outcome ?? outcome
      }
      number = last.number
    }
  }

  /// Lets all that ends in this turn have its consequences, and those theirs.
  func advanceRuns(_ transaction: inout Transaction, at now: Moment) {
    guard !runs.isEmpty else { return }
    var index = 0
    while index < transaction.jobs.count {
      defer { index += 1 }
      guard let settlement = transaction.jobs[index].change.settlement else { continue }
      if let run = runs.remove(settlement.job) {
        close(run, settlement, &transaction, at: now)
        continue
      }
      guard let (root, consequence) = runs.ended(settlement) else {
        if transaction.forgotten.contains(settlement.job) { transaction.endCall(at: index) }
        continue
      }
      transaction.endCall(at: index)
      // In this order: what is to end must be in the ledger.
      makeCalls(consequence.calls, &transaction, at: now)
      for (job, cause) in consequence.forgotten {
        forget(job, .forgotten(by: root, cause), &transaction, at: now)
      }
      if let outcome = consequence.outcome { finish(root, outcome, &transaction, at: now) }
    }
  }

  private func makeCalls(_ calls: [Job], _ transaction: inout Transaction, at now: Moment) {
    guard let batch = calls.first?.batch else { return }
    var submission = Submission(incoming: JobsIn([], of: batch))
    for job in calls {
      var item: JobsIn.Item = (job, "", nil)
      do {
        let place = try Intake.place(of: job)
        item.host = place.host
        submission.jobs.append((job, place.host, place.link))
      } catch {
        transaction.end(Settlement(of: job, failing: error))
      }
      submission.incoming.jobs.append(item)
    }
    transaction.submissions.append(submission)
  }

  /// The calls are in the ledger. Some may have ended in the very turn that made them.
  func made(_ submission: Submission, inserted count: Int, at now: Moment) {
    guard !submission.incoming.jobs.isEmpty else { return }
    if count < submission.incoming.jobs.count { backlog.leftOutSome(at: now) }
    for (job, host, link) in submission.jobs where runs.isCall(job) {
      admit(LedgerJob(job, life: JobLife(), at: now), host: host, link: link, at: now)
    }
    hasNewJobs = true
  }

  private func finish(
    _ root: JobID, _ outcome: RecipeOutcome, _ transaction: inout Transaction, at now: Moment
  ) {
    guard let run = runs[root] else { return }
    let milliseconds = now.milliseconds(since: run.begunAt)
    var settlement = Settlement(
      of: run.job,
      .found(
        RunRow.members(outcome), outcome.failure.map { Failure($0) }, attempts: run.attempts,
        milliseconds: milliseconds))
    if settlement.row.count > EnvelopeCodec.longestRow {
      let tooLong = Failure(
        .bodyTooLarge, at: .json,
        "run \(run.job.input ?? ""): its row takes \(settlement.row.count) bytes, and a message holds \(EnvelopeCodec.longestRow); gather less"
      )
      settlement = Settlement(
        of: run.job, failing: tooLong, attempts: run.attempts, milliseconds: milliseconds)
    }
    transaction.end(settlement)
  }

  /// A run is over, for whatever reason: nothing more is done for it, and the rows of its calls are of no further use.
  private func close(
    _ run: RunningRecipe, _ end: Settlement, _ transaction: inout Transaction, at now: Moment
  ) {
    dispatcher.pays(nil, for: run.calls)
    guard run.made > 0 else { return }
    let cause = Failure.forgotten(with: end)
    for job in run.openCalls { forget(job, cause, &transaction, at: now) }
    var closing = JobsIn([], of: run.calls)
    closing.total = run.made
    transaction.submissions.append(Submission(incoming: closing))
    transaction.add(.confirmRows(run.calls, upTo: run.made))
  }

  private func forget(_ job: Job, _ cause: Failure, _ transaction: inout Transaction, at now: Moment) {
    transaction.forgotten.insert(job.id)
    if let entry = dispatcher.jobs[job.id] {
      end(entry, cause, &transaction, at: now)
    } else {
      transaction.end(Settlement(of: job, failing: cause))
    }
  }

  /// Ends a run that is not over by itself; nothing of this turn follows for it.
  func end(
    _ run: RunningRecipe, _ failure: Failure, _ transaction: inout Transaction, at now: Moment
  ) {
    let settlement = Settlement(
      of: run.job, failing: failure, attempts: run.attempts,
      milliseconds: now.milliseconds(since: run.begunAt))
    transaction.end(settlement)
    if let run = runs.remove(run.job.id) { close(run, settlement, &transaction, at: now) }
  }
}

extension Failure {
  /// For a call that is no longer needed: another one of its run failed, or was enough.
  fileprivate static func forgotten(by run: JobID, _ cause: RecipeFailure?) -> Failure {
    guard let cause else { return forgotten(by: run, .cancelled, "cancelled: another call was enough") }
    return forgotten(by: run, FailureKind(rawValue: cause.kind) ?? .underlying, "cancelled: \(cause.message)")
  }

  /// For a call that is open when its run ends.
  fileprivate static func forgotten(with end: Settlement) -> Failure {
    guard let kind = end.failure else { return forgotten(by: end.job, nil) }
    let message = RecipeFailure(row: end.row, kind).message
    return forgotten(by: end.job, kind, kind == .cancelled ? message : "cancelled: \(message)")
  }

  private static func forgotten(by run: JobID, _ kind: FailureKind, _ message: String) -> Failure {
    Failure(.cancelled, at: .queue, message, because: FailureCause(job: run, kind: kind))
  }
}
