package import Pipeline

extension WorkerRegistry {
  /// nil when it has not spoken to this aggregator.
  package func secret(of worker: WorkerID) -> LaneSecret? {
    workers[worker].flatMap { $0.address == nil ? nil : $0.secret }
  }

  /// A worker has it, or it is on its way.
  package func isHeld(_ token: LeaseToken) -> Bool { holdings[token] != nil }

  package var leaseCounts: [WorkerID: Int] {
    holdings.values.reduce(into: [:]) { $0[$1.worker, default: 0] += 1 }
  }

  /// Looked up among all: that is asked once a heartbeat, and leases come and go all the time.
  package func leases(of worker: WorkerID) -> [LeaseToken] {
    holdings.filter { $0.value.worker == worker }.keys.sorted()
  }
}
