package import Pipeline

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
