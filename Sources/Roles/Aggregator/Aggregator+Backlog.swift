import Pipeline

/// Jobs that wait in the ledger until memory has room for them.
extension Aggregator {
  /// Takes a ready job into memory, or leaves it to be read later.
  func admit(_ open: OpenJob, host: String, at now: Moment) {
    if backlog.isFull(dispatcher.queued), dispatcher.jobs[open.job.id] == nil {
      backlog.leftOut(at: now)
    } else {
      dispatcher.arrived(open, host: host, at: now)
    }
  }

  /// Reads what memory has room for, and what the time has come for.
  func readBacklog(_ turn: inout Turn, at now: Moment) async throws {
    if backlog.needsReading(dispatcher.queued) {
      let page = try await ledger.openJobs(.ready, after: backlog.cursor, limit: Backlog.page)
      let (rest, read, known) = await answerFromCache(page, &turn, at: now)
      takeUp(rest, &turn, at: now)
      for (job, known) in known { dispatcher.knows(known, of: job) }
      backlog.read(
        upTo: page.prefix(read).last?.job.id, isLast: read == page.count && page.count < Backlog.page)
    }
    if let due = backlog.nextLook, due <= now {
      if backlog.mayHoldRetries {
        let page = try await ledger.openJobs(.scheduled(dueBy: now), after: nil, limit: Backlog.page)
        takeUp(page, &turn, at: now)
      }
      for open in try await ledger.openJobs(.overdue(at: now), after: nil, limit: Backlog.page)
      // A run is ended with its calls, once it is begun.
      where dispatcher.jobs[open.job.id] == nil && open.job.kind != .run {
        endUnseen(open, .dead, .overdue(open.job, attempts: open.life.attempts), &turn, at: now)
      }
      backlog.looked(at: now)
    }
    try await cancelUnseen(&turn, at: now)
  }

  private func takeUp(_ page: [OpenJob], _ turn: inout Turn, at now: Moment) {
    for open in page where dispatcher.jobs[open.job.id] == nil && isOurs(open) {
      guard interruptions[open.job.batch] == nil else { continue }
      do {
        dispatcher.arrived(open, host: try Intake.host(of: open.job), at: now)
      } catch {
        // Requeued, and no better than before.
        endUnseen(open, .dead, error, &turn, at: now)
      }
    }
  }

  func isOurs(_ open: OpenJob) -> Bool {
    settings.onlyBatch == nil || open.job.batch == settings.onlyBatch || runs.ownsBatch(open.job.batch)
  }

  /// Batches that were cancelled have jobs in the ledger that memory has not seen; a page of them in each turn.
  private func cancelUnseen(_ turn: inout Turn, at now: Moment) async throws {
    guard let batch = cancelling.first, let cause = interruptions[batch.id] else { return }
    guard batch.isCommitted else {
      cancelling[0].isCommitted = true
      return
    }
    let page = try await ledger.openJobs(.of(batch.id), after: batch.cursor, limit: Backlog.page)
    for open in page where dispatcher.jobs[open.job.id] == nil {
      endUnseen(open, .cancelled, .cancelled(cause), &turn, at: now)
      interruptions.endedJob(of: batch.id)
    }
    if page.count < Backlog.page {
      cancelling.removeFirst()
    } else {
      cancelling[0].cursor = page.last?.job.id
    }
  }

  private func endUnseen(
    _ open: OpenJob, _ end: JobLife.End, _ failure: Failure, _ turn: inout Turn, at now: Moment
  ) {
    turn.add(
      .settle(ownEnd(of: open.job, end, failure, attempts: open.life.attempts, milliseconds: 0)))
    unhurried.noteRow(at: now)
  }
}
