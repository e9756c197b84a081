package import Pipeline

/// Terms of batches, and pauses.
extension MemoryLedger {
  package func shares() -> KnownShares {
    var shares = KnownShares()
    let unusual = batches.filter { !$1.progress.isComplete && ($1.progress.isPaused || !$1.terms.areUsual) }
    shares.batches = unusual.sorted { $0.value.serial < $1.value.serial }.map { id, batch in
      KnownShares.Batch(id: id, terms: batch.terms, isPaused: batch.progress.isPaused)
    }
    for scope in pauses {
      switch scope {
      case .all: shares.isAllPaused = true
      case .host(let host): shares.pausedHosts.insert(host)
      case .batch: continue
      }
    }
    return shares
  }

  /// - Returns: Whether that changes anything.
  func pause(_ scope: PauseScope, _ isPaused: Bool) -> Bool {
    guard case .batch(let id) = scope else {
      return isPaused ? pauses.insert(scope).inserted : pauses.remove(scope) != nil
    }
    guard let batch = batches[id], batch.progress.isPaused != isPaused else { return false }
    batches[id]?.progress.isPaused = isPaused
    return true
  }
}
