import Pipeline

/// Batches that were ended early, and why: what comes of them late is cancelled too, and nothing is retried. A pure value.
///
/// Whoever could still send something of a batch, does so again and again until it is answered: when nothing of it is
/// open and nobody has spoken of it for long, it is forgotten.
struct Interruptions: Sendable {
  private struct Interruption: Sendable {
    var cause: String
    var heardAt: Moment
    /// How many jobs were ended so.
    var jobs: UInt64 = 0
  }

  /// So long nobody who lives is silent about what was not answered.
  static let keptMilliseconds: Int64 = 600_000

  private var batches: [BatchID: Interruption] = [:]
  private var nextLook: Moment?

  /// Why the batch was ended; nil when it was not.
  subscript(batch: BatchID) -> String? { batches.isEmpty ? nil : batches[batch]?.cause }

  func jobsEnded(of batch: BatchID) -> UInt64 { batches[batch]?.jobs ?? 0 }

  mutating func began(_ batch: BatchID, _ cause: String, at now: Moment) {
    let jobs = jobsEnded(of: batch)
    batches[batch] = Interruption(cause: cause, heardAt: now, jobs: jobs)
    nextLook = nextLook ?? now.advanced(byMilliseconds: Self.keptMilliseconds)
  }

  /// Its producer goes on submitting.
  mutating func heardOf(_ batch: BatchID, at now: Moment) {
    if !batches.isEmpty { batches[batch]?.heardAt = now }
  }

  mutating func endedJob(of batch: BatchID) {
    batches[batch]?.jobs += 1
  }

  /// What comes of it now is wanted again.
  mutating func withdrawn(_ batch: BatchID) {
    batches[batch] = nil
  }

  /// - Parameter open: The batches that still have jobs; asked only when something may be forgotten.
  mutating func forget(at now: Moment, unlessIn open: () -> Set<BatchID>) {
    guard let nextLook, nextLook <= now else { return }
    let open = open()
    let before = now.advanced(byMilliseconds: -Self.keptMilliseconds)
    batches = batches.filter { open.contains($0.key) || $0.value.heardAt > before }
    let oldest = batches.values.map(\.heardAt).min()
    self.nextLook = oldest.map { max($0, before.advanced(byMilliseconds: Self.lookMilliseconds)) }?
      .advanced(byMilliseconds: Self.keptMilliseconds)
  }

  /// Looked through no more often than this.
  private static let lookMilliseconds: Int64 = 30_000
}
