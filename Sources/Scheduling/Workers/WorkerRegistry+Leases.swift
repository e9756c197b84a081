package import Pipeline

/// Which leases workers have.
extension WorkerRegistry {
  /// How many leases each worker has.
  package var leaseCounts: [WorkerID: Int] {
    holdings.values.reduce(into: [:]) { $0[$1.worker, default: 0] += 1 }
  }

  /// Looked up among all: that is asked once a heartbeat, and leases come and go all the time.
  package func leases(of worker: WorkerID) -> [LeaseToken] {
    holdings.filter { $0.value.worker == worker }.keys.sorted()
  }

  /// Those of them that it has taken and executes nothing of, as it said last.
  package func waiting(on id: WorkerID) -> [LeaseToken] {
    guard let worker = workers[id] else { return [] }
    return leases(of: id).filter {
      !worker.executing.contains($0) && (holdings[$0]?.sequence ?? 0) <= worker.received
    }
  }
}
