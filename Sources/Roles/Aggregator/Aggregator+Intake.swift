import Pipeline

/// What producers send: jobs, and the wish to stop them.
extension Aggregator {
  func take(_ submit: Submit, _ turn: inout Turn) async {
    await switchboard.meet(submit.replyTo)
    if let refusal = Intake.refusal(of: submit) {
      refuse(submit, refusal)
      return
    }
    guard hasRoom(for: submit.jobs.count) else { return }
    let now = ports.clock.now
    interruptions.heardOf(submit.batch, at: now)
    var jobs: [Submission.Candidate] = []
    var ends: [LedgerEvent] = []
    for job in submit.jobs {
      if let cause = interruptions[job.batch] {
        ends.append(.settle(ownEnd(of: job, .cancelled, .cancelled(cause), attempts: 0, milliseconds: 0)))
        continue
      }
      guard job.kind != .run else { continue }
      do {
        jobs.append((job, try Intake.host(of: job)))
      } catch {
        ends.append(.settle(ownEnd(of: job, .dead, error, attempts: 0, milliseconds: 0)))
      }
    }
    turn.add(submit, jobs)
    for end in ends { turn.add(end) }
    if let total = submit.total { turn.add(.close(submit.batch, total: total)) }
    if !ends.isEmpty || submit.total != nil { unhurried.noteRow(at: now) }
  }

  private func refuse(_ submit: Submit, _ refusal: Failure) {
    ports.log.record(.warning, "submission refused", [LogField("cause", refusal.message)])
    var receipt = Receipt(batch: submit.batch, sequence: submit.sequence, inserted: 0)
    receipt.refusal = refusal
    switchboard.add(.receipt(receipt), to: submit.replyTo)
  }

  /// The submission is in the ledger. Jobs that were there before are over, in memory, or read from there in time.
  func accepted(_ submission: Submission, inserted count: Int, _ differing: DifferingJobs?, at now: Moment) {
    let submit = submission.submit
    let receipt = Receipt(
      batch: submit.batch, sequence: submit.sequence, inserted: UInt32(count), differing: differing)
    switchboard.add(.receipt(receipt), to: submit.replyTo)
    if submit.jobs.contains(where: { $0.kind == .run }) { runs.mayWait = true }
    runs.cancelled.merge(submission.cancelledRuns) { $1 }
    if submission.leavesSome { backlog.leftOut(at: now) }
    guard !submission.jobs.isEmpty else { return }
    if interruptions[submit.batch] != nil {
      // Cancelled in this very turn.
      if !cancelling.contains(where: { $0.id == submit.batch }) {
        cancelling.append(CancelledBatch(id: submit.batch))
      }
    } else if count == 0 {
      return
    } else if count == submit.jobs.count {
      for (job, host) in submission.jobs { admit(OpenJob(job: job, life: JobLife()), host: host, at: now) }
      for (job, known) in submission.known { dispatcher.knows(known, of: job) }
      hasNewJobs = true
    } else {
      backlog.leftOut(at: now)
    }
  }

  func take(_ cancel: Cancel, _ turn: inout Turn) {
    switch cancel.scope {
    case .leases: return
    case .waiting(let batch): self.cancel(batch, everything: false, cause: cancel.cause, &turn)
    case .all(let batch): self.cancel(batch, everything: true, cause: cancel.cause, &turn)
    case .jobs(let batch, let ordinals):
      for ordinal in ordinals {
        self.cancel(JobID(batch: batch, ordinal: ordinal), cause: cancel.cause, &turn)
      }
    }
  }

  /// Ends a job that memory holds, or that came in this very turn; a run ends when it is to begin. One that waits in the ledger is ended when its
  /// producer says so again, by which it may be here.
  private func cancel(_ id: JobID, cause: String, _ turn: inout Turn) {
    let now = ports.clock.now
    if let entry = dispatcher.jobs[id] {
      end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &turn, at: now)
    } else if let job = runs[id]?.job ?? turn.takeOut(id) {
      turn.add(.settle(ownEnd(of: job, .cancelled, .cancelled(cause), attempts: 0, milliseconds: 0)))
      unhurried.noteRow(at: now)
    } else if !turn.cancelRun(id, cause: cause), runs.mayWait {
      runs.cancelled[id] = cause
    }
  }

  /// Ends the jobs of a batch, and whatever of it comes late or would be tried again.
  ///
  /// - Parameter everything: Also what a worker is on.
  func cancel(_ batch: BatchID, everything: Bool, cause: String, _ turn: inout Turn) {
    interruptions.began(batch, cause, at: ports.clock.now)
    if backlog.mayHoldReady || backlog.mayHoldRetries, !cancelling.contains(where: { $0.id == batch }) {
      cancelling.append(CancelledBatch(id: batch))
    }
    for run in runs.of(batch) {
      end(run, .cancelled, .cancelled(cause), &turn, at: ports.clock.now)
      interruptions.endedJob(of: batch)
    }
    for entry in dispatcher.openJobs(of: batch) {
      if case .leased = entry.place, !everything { continue }
      end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &turn, at: ports.clock.now)
      interruptions.endedJob(of: batch)
    }
  }
}
