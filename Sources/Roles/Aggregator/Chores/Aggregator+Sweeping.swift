import Pipeline
import Scheduling

/// Orders about many jobs, a page in each transaction.
extension Aggregator {
  func sweep(_ transaction: inout Transaction, at now: Moment) async throws {
    chores.sweeps.removeAll { !$0.hasBegun && $0.ask?.isLate(at: now) ?? false }
    guard let index = chores.sweeps.next else { return }
    let (sweep, found) = try await read { [sweep = chores.sweeps[index]] ledger in
      var sweep = sweep
      let found = try await sweep.next(in: ledger)
      return (sweep, found)
    }
    chores.sweeps[index] = sweep
    if sweep.isLast, sweep.ask == nil { chores.sweeps.remove(at: index) }
    switch sweep.verb {
    case .requeue:
      var cancelled = Set(found.map(\.job.batch)).filter { interruptions[$0] != nil }
      if !sweep.hasBegun, let batch = sweep.wholeBatch { cancelled.insert(batch) }
      transaction.add(requeueOf: found.map(\.id), resuming: cancelled.sorted(), sweep)
    case .cancel(let cancellation):
      let jobs = cancel(found, cancellation, by: sweep, &transaction, at: now)
      transaction.swept = Transaction.SweptPage(sweep: sweep, jobs: jobs)
    }
    if case .batch(let batch, _) = sweep.scope, sweep.isLast { dispatcher.stop(batch, false) }
  }

  /// - Returns: How many of them are cancelled.
  private func cancel(
    _ found: [LedgerJob], _ cancellation: BatchCancellation, by sweep: JobSweep,
    _ transaction: inout Transaction, at now: Moment
  ) -> Int {
    // All that workers are on is ended at once: their windows bound its number.
    if case .batch(let batch, _) = sweep.scope, sweep.pages == 1, cancellation.everything {
      for entry in dispatcher.underWay(of: batch) { cancel(entry, cancellation.cause, &transaction, at: now) }
    }
    // What this turn ended stands in the ledger as it was.
    let over = transaction.settled
    let open = found.filter { open in
      // Those of a batch that is cancelled as a whole were counted then.
      let isCounted = sweep.ask != nil && interruptions.cancellation(of: open.job.batch)?.everything == true
      return !over.contains(open.job.id) && !isCounted && isOurs(open)
    }
    // Those that wait for another's row first, or each leader's end would make a leader of the next.
    for open in open.filter(isWaiting) + open.filter({ !isWaiting($0) }) {
      if let entry = dispatcher.jobs[open.job.id] {
        guard !entry.isLeased || cancellation.everything else { continue }
        cancel(entry, cancellation.cause, &transaction, at: now)
      } else if let run = runs[open.job.id] {
        end(run, .cancelled, .cancelled(cancellation.cause), &transaction, at: now)
      } else {
        endUnseen(open, .cancelled, .cancelled(cancellation.cause), &transaction, at: now)
      }
    }
    return open.count
  }

  private func isWaiting(_ open: LedgerJob) -> Bool {
    if case .waiting? = dispatcher.jobs[open.job.id]?.place { true } else { false }
  }

  private func cancel(
    _ entry: Dispatcher.Entry, _ cause: String, _ transaction: inout Transaction, at now: Moment
  ) {
    end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &transaction, at: now)
  }

  /// A page that a client has asked for is in the ledger.
  func swept(_ page: Transaction.SweptPage, at now: Moment) {
    for batch in page.resumed {
      interruptions.withdrawn(batch)
      chores.sweeps.removeAll { $0.ends(batch) }
      dispatcher.stop(batch, false)
    }
    if case .requeue = page.sweep.verb {
      // A host that is still dead is given up again by one job, also in the middle of many pages. Redirects lead the jobs of
      // one host to others, so it is not known which of them the jobs are for.
      if !page.sweep.hasBegun { dispatcher.health.forgive(at: now) }
      backlog.leftOutSome(at: now)
      // The cancellation that is withdrawn here had removed retries from memory.
      backlog.leftOutRetry(at: now)
      runs.mayWait = true
      sharing.isStale = true
    }
    guard let ask = page.sweep.ask, let index = chores.sweeps.firstIndex(where: { $0.ask == ask }) else { return }
    // Not from the answers: a commit that seemed to fail can have done it, and then its repetition did nothing.
    chores.sweeps[index].jobs += UInt64(page.jobs)
    chores.sweeps[index].hasBegun = true
    guard page.sweep.isLast else { return }
    say(chores.sweeps.remove(at: index).jobs, to: ask)
  }
}
