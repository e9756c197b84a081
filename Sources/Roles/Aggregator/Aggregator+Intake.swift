import Pipeline

/// What producers send: jobs, and the wish to stop them.
extension Aggregator {
  func take(_ submit: Submit, _ turn: inout Turn) async {
    await switchboard.meet(submit.replyTo)
    guard hasRoom(for: submit.jobs.count) else { return }
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
    switch cancel.scope {
    case .leases: return
    case .waiting(let batch): self.cancel(batch, everything: false, cause: cancel.cause, &turn)
    case .all(let batch): self.cancel(batch, everything: true, cause: cancel.cause, &turn)
    }
  }

  /// Ends the jobs of a batch, and whatever of it comes late or would be tried again.
  ///
  /// - Parameter everything: Also what a worker is on.
  func cancel(_ batch: BatchID, everything: Bool, cause: String, _ turn: inout Turn) {
    interrupted[batch] = cause
    if backlog.mayHoldReady || backlog.mayHoldRetries, !cancelling.contains(where: { $0.id == batch }) {
      cancelling.append(CancelledBatch(id: batch))
    }
    for entry in dispatcher.openJobs(of: batch) {
      if case .leased = entry.place, !everything { continue }
      end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &turn, at: ports.clock.now)
      cancelled[batch, default: 0] += 1
    }
  }
}
