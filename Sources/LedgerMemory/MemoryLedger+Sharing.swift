package import Pipeline

/// Terms of batches, and pauses.
extension MemoryLedger {
  package func shares() -> KnownShares {
    var shares = KnownShares()
    let unusual = batches.filter { _, batch in
      let (progress, terms) = (batch.counters.progress, batch.counters.terms)
      return progress.isPaused || !progress.isComplete && !terms.areUsual
    }
    shares.batches = unusual.sorted { $0.value.serial < $1.value.serial }.map { id, batch in
      KnownShares.Batch(
        id: id, terms: batch.counters.terms, isPaused: batch.counters.progress.isPaused)
    }
    pauses = pauses.filter { $0.key.batch.map { batches[$0] != nil } ?? true }
    shares.pauses = pauses
    return shares
  }

  /// - Returns: Whether something is paused that was not, or no more.
  func set(_ pause: Pause?, of scope: PauseScope, dueBy moment: Moment? = nil) -> Bool {
    let known = pauses[scope]
    guard Pause.mayBecome(pause, insteadOf: known, dueBy: moment) else { return false }
    if let id = scope.batch {
      guard batches[id] != nil else { return false }
      batches[id]?.counters.progress.isPaused = pause != nil
    }
    pauses[scope] = pause
    return (known == nil) == (pause != nil)
  }
}
