package import Pipeline

/// Cancelling: one short change is committed and answered where a batch is meant, which stops its jobs from starting; they
/// are ended after that by a `JobSweep`, as single ones are.
extension Aggregator {
  /// What a producer wants, which repeats it until all its jobs have their rows.
  func take(_ cancel: Cancel, _ transaction: inout Transaction) {
    switch cancel.scope {
    case .leases: return
    case .waiting(let batch): self.cancel(batch, everything: false, cause: cancel.cause, &transaction)
    case .all(let batch): self.cancel(batch, everything: true, cause: cancel.cause, &transaction)
    case .jobs(let batch, let ordinals):
      let verb = JobSweep.Verb.cancel(BatchCancellation(cause: cancel.cause, everything: true))
      chores.sweeps.add(ordinals.map { JobID(batch: batch, ordinal: $0) }, verb)
    }
  }

  private func cancel(_ batch: BatchID, everything: Bool, cause: String, _ transaction: inout Transaction) {
    if let known = interruptions.cancellation(of: batch), known.everything || !everything { return }
    transaction.add(.cancel(batch, BatchCancellation(cause: cause, everything: everything)))
  }

  /// An order about a batch is answered when it is committed, and dropped when that is too late. Others take more turns.
  func take(_ order: CancelOrder, _ ask: Ask, _ transaction: inout Transaction) {
    let cancellation = BatchCancellation(cause: order.cause, everything: true)
    guard let batch = order.choice.wholeBatch else {
      return chores.sweeps.append(JobSweep(.choice(order.choice, from: nil), .cancel(cancellation), for: ask))
    }
    transaction.add(.cancel(batch, cancellation), for: ask)
    // Without a producer the number of jobs would stay unknown.
    if !hasProducer(batch, at: ports.clock.now) {
      transaction.add(.abandon(batch), for: ask)
    }
  }

  /// The ledger has it.
  func cancelled(_ batch: BatchID, _ cancellation: BatchCancellation, jobs: UInt64) {
    if jobs > 0 || cancellation.everything || interruptions.cancellation(of: batch)?.everything != true {
      interruptions.began(batch, cancellation)
    }
    if jobs > 0 { endJobs(of: batch) }
  }

  /// A batch is cancelled that has open jobs: from now on none of them starts.
  func endJobs(of batch: BatchID) {
    guard let cancellation = interruptions.cancellation(of: batch) else { return }
    // From its first job: some may have come behind what was read.
    chores.sweeps.removeAll { $0.ends(batch) }
    chores.sweeps.append(JobSweep(.batch(batch, after: nil), .cancel(cancellation)))
    dispatcher.stop(batch, true, at: ports.clock.now)
  }

  /// Takes over what the ledger knows of cancelled batches: it forgets some in time, and memory does not know all at first.
  func learnCancellations() async throws {
    let listed = try await read { try await $0.batches(.cancelled).items }.filter { isOurs($0.id) }
    let before = interruptions
    interruptions.learned(
      Dictionary(listed.map { ($0.id, $0.cancellation) }) { $1 }.compactMapValues(\.self))
    for batch in listed where batch.open > 0 && before.cancellation(of: batch.id) != batch.cancellation {
      endJobs(of: batch.id)
    }
  }
}

/// Batches that are cancelled, and why: what comes of them late is cancelled too, and nothing is retried. The ledger's
/// list of them, as memory has it; a batch stays there until it is requeued or forgotten. A pure value.
package struct Interruptions: Sendable {
  private var batches: [BatchID: BatchCancellation] = [:]
  /// How often one began since they were compared with the ledger.
  private(set) var begun = 0

  /// Why the batch was ended; nil when it was not.
  package subscript(batch: BatchID) -> String? { batches.isEmpty ? nil : batches[batch]?.cause }

  var isEmpty: Bool { batches.isEmpty }
  var count: Int { batches.count }

  func cancellation(of batch: BatchID) -> BatchCancellation? { batches[batch] }

  mutating func began(_ batch: BatchID, _ cancellation: BatchCancellation) {
    batches[batch] = cancellation
    begun += 1
  }

  /// What comes of it now is wanted again.
  mutating func withdrawn(_ batch: BatchID) {
    batches[batch] = nil
  }

  /// What the ledger has: others are forgotten.
  mutating func learned(_ known: [BatchID: BatchCancellation]) {
    (batches, begun) = (known, 0)
  }
}
