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

  /// The options with which the fleet's fetchers fetch; nil when each brings its own, and of a fleet too old to say.
  package func fetchOptions() async throws -> FetchOptions? {
    // Every fleet answers the second question; one that does so twice does not know the first.
    let unused = BatchID.passing(ports.random.uuid(at: ports.clock.now))
    let questions = [Query.Question.fetchOptions, .progress(of: unused)]
    var passed = 0
    return try await exchange(questions.map { .query(Query(replyTo: address, $0)) }) { message in
      guard case .answer(let answer) = message else { return nil }
      if case .fetchOptions(let options) = answer { return .some(options) }
      if case .progress(of: unused, _, _) = answer { passed += 1 }
      return passed > 1 ? .some(nil) : nil
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
