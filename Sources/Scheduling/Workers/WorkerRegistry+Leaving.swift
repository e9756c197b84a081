package import Pipeline

/// Workers that finish what they have and end.
extension WorkerRegistry {
  /// What follows from the wish to drain a worker.
  package enum DrainOrder: Hashable, Sendable {
    /// It is to be told; it has not said yet that it drains.
    case tell
    case leaving(jobs: Int)
    case gone
  }

  package mutating func drainWished(_ id: WorkerID, _ leases: Leases) -> DrainOrder {
    guard let worker = workers[id] else { return .gone }
    // It has leases from before the aggregator's start. The order goes out when it says HELLO.
    guard worker.address != nil else {
      workers[id]?.isToDrain = true
      return .tell
    }
    if worker.isLeaving { return .leaving(jobs: leases.tokens(of: id).count) }
    workers[id]?.isToDrain = true
    return .tell
  }

  package mutating func noteLeaving(_ worker: WorkerID, _ leases: inout Leases) {
    workers[worker]?.isLeaving = true
    workers[worker]?.isToDrain = false
    leases.excuse(worker)
  }
}
