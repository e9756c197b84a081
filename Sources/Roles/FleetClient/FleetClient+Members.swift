package import Pipeline

/// Questions about a fleet's members.
extension FleetClient {
  /// Throws `ChangeUnconfirmed` when the fleet does not say what became of it.
  package func drain(_ worker: WorkerID) async throws -> DrainOutcome {
    // No batch has this id, so only the aggregator's time is told.
    try await change(.drain(worker), of: BatchID(worker.uuid)) {
      if case .drained(worker, let outcome, $1) = $0 { outcome } else { nil }
    }
  }

  /// The options with which the fleet's fetchers fetch; nil when it has none of its own.
  package func fetchOptions() async throws -> FetchOptions? {
    try await answer(to: .fetchOptions) { answer -> FetchOptions?? in
      if case .fetchOptions(let options) = answer { .some(options) } else { nil }
    }
  }

  /// Of `up` itself, where its inbox is taken for that of an aggregator.
  ///
  /// - Returns: How many workers of the role it runs from now on.
  package func scale(_ role: Role, to count: UInt32) async throws -> UInt32 {
    try await answer(to: .scale(role, to: count)) {
      if case .scaled(role, let count) = $0 { count } else { nil }
    }
  }
}
