import Pipeline
import Scheduling

/// A batch whose cancellation is committed, and up to where its jobs are ended.
struct CancelledBatch: Sendable {
  var id: BatchID
  /// Jobs that memory held and no worker was on; they are out of it already.
  var entries: ArraySlice<Dispatcher.Entry> = []
  var isTakenFromMemory = false
  var cursor: JobID?
}

/// Cancelling a batch: one short event is committed and answered; its jobs are ended after that, a page in each transaction.
extension Aggregator {
  /// What a producer wants, which repeats it until all its jobs have their rows.
  func take(_ cancel: Cancel, _ transaction: inout Transaction) {
    switch cancel.scope {
    case .leases: return
    case .waiting(let batch): self.cancel(batch, everything: false, cause: cancel.cause, &transaction)
    case .all(let batch): self.cancel(batch, everything: true, cause: cancel.cause, &transaction)
    case .jobs(let batch, let ordinals):
      for ordinal in ordinals {
        let wish = UnseenCancels.Wish(batch: batch, ordinal: ordinal, cause: cancel.cause)
        self.cancel(JobID(batch: batch, ordinal: ordinal), wish, &transaction)
      }
    }
  }

  private func cancel(_ batch: BatchID, everything: Bool, cause: String, _ transaction: inout Transaction) {
    if let known = interruptions.cancellation(of: batch), known.everything || !everything { return }
    transaction.add(
      CancelWish(batch: batch, cancellation: BatchCancellation(cause: cause, everything: everything)))
  }

  /// Ends a job of memory or of this transaction, and marks a run that has not begun. Others are looked for in the ledger.
  private func cancel(_ id: JobID, _ wish: UnseenCancels.Wish, _ transaction: inout Transaction) {
    let (now, cause) = (ports.clock.now, wish.cause)
    if let entry = dispatcher.jobs[id] {
      end(entry, .cancelled, .cancelled(cause, after: entry.lastFailure), &transaction, at: now)
    } else if let job = runs[id]?.job ?? transaction.takeOut(id) {
      transaction.end(ownEnd(of: job, .cancelled, .cancelled(cause), attempts: 0, milliseconds: 0))
    } else if !transaction.cancelRun(id, cause: cause), !committing.cancelRun(id, cause: cause) {
      if runs.mayWait { runs.cancelled[id] = cause }
      unseenCancels.add(id, wish)
    }
  }

  /// An order about a batch is answered when it is committed, and dropped when that is too late. Others take more turns.
  func take(_ order: CancelOrder, _ ask: Ask, _ transaction: inout Transaction) {
    guard let batch = order.choice.wholeBatch else {
      return sweeps.append(JobSweep(ask, order.choice, .cancel(cause: order.cause)))
    }
    transaction.add(
      CancelWish(
        batch: batch, cancellation: BatchCancellation(cause: order.cause, everything: true), ask: ask))
    // Without a producer the number of jobs would stay unknown.
    if !hasProducer(batch, at: ports.clock.now) {
      transaction.add(.abandon(batch), for: ask)
    }
  }

  /// The ledger has it.
  func cancelled(_ wish: CancelWish, jobs: UInt64) {
    if jobs > 0 {
      began(wish.batch, wish.cancellation)
    } else if wish.cancellation.everything || interruptions.cancellation(of: wish.batch)?.everything != true {
      interruptions.began(wish.batch, wish.cancellation)
    }
    if let ask = wish.ask { say(jobs, to: ask) }
  }

  private func began(_ batch: BatchID, _ cancellation: BatchCancellation) {
    interruptions.began(batch, cancellation)
    cancelling.removeAll { $0.id == batch && $0.entries.isEmpty }
    cancelling.append(CancelledBatch(id: batch))
  }

  /// Takes over what the ledger knows of cancelled batches and memory does not.
  func learnCancellations() async throws {
    for known in try await read({ try await $0.batches(.cancelled).items }) where isOurs(known.id) {
      guard let cancellation = known.cancellation, interruptions.cancellation(of: known.id) != cancellation
      else { continue }
      interruptions.began(known.id, cancellation)
      if known.open > 0 { began(known.id, cancellation) }
    }
  }

  /// Ends jobs of cancelled batches, a page in a transaction. Jobs under way are ended all at once: the workers' windows bound
  /// their number.
  func endCancelled(_ transaction: inout Transaction, at now: Moment) async throws {
    let isNew = cancelling.first?.isTakenFromMemory == false
    for index in cancelling.indices where !cancelling[index].isTakenFromMemory {
      takeFromMemory(index, &transaction, at: now)
    }
    guard let batch = cancelling.first else { return }
    guard let cause = interruptions[batch.id] else {
      cancelling.removeFirst()
      return
    }
    guard batch.entries.isEmpty else {
      for entry in batch.entries.prefix(Backlog.page) {
        let failure = Failure.cancelled(cause, after: entry.lastFailure)
        transaction.end(ownEnd(of: entry, .cancelled, failure, at: now))
      }
      cancelling[0].entries.removeFirst(min(Backlog.page, batch.entries.count))
      return
    }
    // What this turn ended stands in the ledger as it was.
    guard !isNew else { return }
    let page = try await read {
      try await $0.page(JobQuery(.of(batch.id), after: batch.cursor, limit: Backlog.page))
    }
    for open in page.items where dispatcher.jobs[open.job.id] == nil && runs[open.job.id] == nil {
      endUnseen(open, .cancelled, .cancelled(cause), &transaction, at: now)
    }
    cancelling[0].cursor = page.next
    if page.next == nil { cancelling.removeFirst() }
  }

  private func takeFromMemory(_ index: Int, _ transaction: inout Transaction, at now: Moment) {
    let id = cancelling[index].id
    cancelling[index].isTakenFromMemory = true
    guard let cancellation = interruptions.cancellation(of: id) else { return }
    for run in runs.of(id) { end(run, .cancelled, .cancelled(cancellation.cause), &transaction, at: now) }
    // Those that wait for another's row first, or each leader's end would make a leader of the next.
    let entries = dispatcher.openJobs(of: id)
    for entry in entries.filter(\.isWaiting) + entries.filter({ !$0.isWaiting }) {
      guard case .leased = entry.place else {
        _ = dispatcher.removed(entry.job.id, at: now)
        cancelling[index].entries.append(entry)
        continue
      }
      guard cancellation.everything else { continue }
      end(
        entry, .cancelled, .cancelled(cancellation.cause, after: entry.lastFailure), &transaction, at: now)
    }
  }
}

extension Dispatcher.Entry {
  var isWaiting: Bool {
    if case .waiting = place { true } else { false }
  }
}
