import Pipeline
import Scheduling

/// Orders about many jobs, a page in each transaction.
extension Aggregator {
  func sweep(_ transaction: inout Transaction, at now: Moment) async throws {
    chores.sweeps.removeAll { !$0.hasBegun && $0.ask?.isLate(at: now) ?? false }
    guard let index = chores.sweeps.next else { return }
    var (sweep, found) = try await read { [sweep = chores.sweeps[index]] ledger in
      var sweep = sweep
      let found = try await sweep.next(in: ledger)
      return (sweep, found)
    }
    switch sweep.verb {
    case .requeue:
      var cancelled = Set(found.map(\.job.batch)).filter { interruptions[$0] != nil }
      if !sweep.hasBegun, let batch = sweep.wholeBatch { cancelled.insert(batch) }
      for batch in cancelled.sorted() { transaction.add(.resume(batch)) }
      for open in found { transaction.add(open.id, .requeued) }
    case .cancel(let cancellation):
      found = cancel(found, cancellation, by: sweep, &transaction, at: now)
    }
    // Not by the answers: a commit that seemed to fail can have done it, and then its repetition does nothing.
    sweep.jobs += UInt64(found.count)
    chores.sweeps[index] = sweep
    transaction.swept = sweep
    guard sweep.isLast, sweep.ask == nil else { return }
    chores.sweeps.remove(at: index)
    if case .batch(let batch, _) = sweep.scope { dispatcher.stop(batch, false, at: now) }
  }

  /// - Returns: Those of them that are cancelled, as far as nothing else of this turn has ended them.
  private func cancel(
    _ found: [LedgerJob], _ cancellation: BatchCancellation, by sweep: JobSweep,
    _ transaction: inout Transaction, at now: Moment
  ) -> [LedgerJob] {
    // All that workers are on is ended at once: their windows bound its number.
    if case .batch(let batch, _) = sweep.scope, sweep.pages == 1, cancellation.everything {
      for entry in dispatcher.underWay(of: batch) {
        cancel(entry, because: cancellation.cause, &transaction, at: now)
      }
    }
    // What this turn ended stands in the ledger as it was, and an end that comes too late leaves it open: so it is ended here
    // all the same, which changes nothing where it is over.
    let over = transaction.settled
    let open = found.filter { open in
      // Those of a batch that is cancelled as a whole were counted then.
      let isCounted = sweep.ask != nil && interruptions.cancellation(of: open.job.batch)?.everything == true
      return !isCounted && isOurs(open)
    }
    // Those that wait for another's row first, or each leader's end would make a leader of the next.
    for open in open.filter(isWaiting) + open.filter({ !isWaiting($0) }) {
      if let entry = dispatcher.jobs[open.job.id] {
        guard !entry.isLeased || cancellation.everything else { continue }
        cancel(entry, because: cancellation.cause, &transaction, at: now)
      } else if let run = runs[open.job.id] {
        end(run, .cancelled, .cancelled(cancellation.cause), &transaction, at: now)
      } else {
        endUnseen(open, .cancelled, .cancelled(cancellation.cause), &transaction, at: now)
      }
    }
    return open.filter { !over.contains($0.job.id) }
  }

  private func isWaiting(_ open: LedgerJob) -> Bool {
    if case .waiting? = dispatcher.jobs[open.job.id]?.place { true } else { false }
  }

  /// Ends a job that memory has, and tells the worker that is on it.
  func cancel(
    _ entry: Dispatcher.Entry, because cause: String, _ transaction: inout Transaction, at now: Moment
  ) {
    end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &transaction, at: now)
  }

  /// What is open of a batch is wanted again.
  func resumed(_ batch: BatchID, at now: Moment) {
    interruptions.withdrawn(batch)
    chores.sweeps.removeAll { $0.ends(batch) }
    dispatcher.stop(batch, false, at: now)
  }

  /// A page is in the ledger.
  func swept(_ page: JobSweep, at now: Moment) {
    if case .requeue = page.verb {
      // A host that is still dead is given up again by one job, also in the middle of many pages. Redirects lead the jobs of
      // one host to others, so it is not known which of them the jobs are for.
      if !page.hasBegun { dispatcher.health.forgive(at: now) }
      backlog.leftOutSome(at: now)
      // Retries that were due while their batch was cancelled were passed over.
      backlog.leftOutRetry(at: now)
      runs.mayWait = true
      sharing.isStale = true
    }
    guard let ask = page.ask, let index = chores.sweeps.firstIndex(where: { $0.ask == ask }) else { return }
    chores.sweeps[index].hasBegun = true
    guard page.isLast else { return }
    say(chores.sweeps.remove(at: index).jobs, to: ask)
  }
}
