import Pipeline

/// What producers send: jobs, and the wish to stop them.
extension Aggregator {
  func take(_ submit: Submit, _ turn: inout Turn) async {
    await switchboard.meet(submit.replyTo)
    turn.add(submit)
    if let total = submit.total {
      turn.add(.close(submit.batch, total: total))
      unhurried.noteRow(at: ports.clock.now)
    }
    let now = ports.clock.now
    for job in submit.jobs {
      if let cause = interrupted[job.batch] {
        turn.add(.settle(ownEnd(of: job, .cancelled, .cancelled(cause), attempts: 0, milliseconds: 0)))
        unhurried.noteRow(at: now)
        continue
      }
      do {
        admit(OpenJob(job: job, life: JobLife()), host: try Intake.host(of: job), at: now)
      } catch {
        turn.add(.settle(ownEnd(of: job, .dead, error, attempts: 0, milliseconds: 0)))
        unhurried.noteRow(at: now)
      }
    }
  }

  func take(_ cancel: Cancel, _ turn: inout Turn) {
    let batch: BatchID
    let everything: Bool
    switch cancel.scope {
    case .leases: return
    case .waiting(let id): (batch, everything) = (id, false)
    case .all(let id): (batch, everything) = (id, true)
    }
    interrupted[batch] = cancel.cause
    if backlog.mayHoldReady || backlog.mayHoldRetries { cancelling.append(CancelledBatch(id: batch)) }
    for entry in dispatcher.openJobs(of: batch) {
      if case .leased = entry.place, !everything { continue }
      end(
        entry, .cancelled, .cancelled(cancel.cause, after: entry.lastFailure), &turn, at: ports.clock.now)
    }
  }
}
