package import Pipeline

/// Crashes that were charged because a lane went down. A worker that speaks again did not die, so its charge is taken
/// back. Times are milliseconds of listening.
package struct Suspicions: Sendable {
  /// The job, and the lease that it was lost under.
  package struct Charge: Hashable, Sendable {
    package var job: JobID
    package var token: LeaseToken

    package init(job: JobID, token: LeaseToken) {
      (self.job, self.token) = (job, token)
    }
  }

  private struct Suspicion: Sendable {
    var charge: Charge
    var worker: WorkerID
    var until: Int64
  }

  /// Few, and in the order in which they end.
  private var open: [Suspicion] = []

  var count: Int { open.count }
  var nextEnd: Int64? { open.first?.until }

  package func hasAny(of job: JobID) -> Bool { open.contains { $0.charge.job == job } }

  package mutating func charged(_ charge: Charge, with worker: WorkerID, at watched: Int64) {
    open.append(
      Suspicion(charge: charge, worker: worker, until: watched + Heartbeat.reappearanceMilliseconds))
  }

  /// - Returns: What it did not die of, as it lives.
  package mutating func spoke(_ worker: WorkerID) -> [Charge] {
    guard !open.isEmpty else { return [] }
    defer { open.removeAll { $0.worker == worker } }
    return open.filter { $0.worker == worker }.map(\.charge)
  }

  /// - Returns: The jobs whose charge stands, as the worker has not spoken since.
  package mutating func confirmed(at watched: Int64) -> [JobID] {
    let past = open.prefix { $0.until <= watched }
    open.removeFirst(past.count)
    return past.map(\.charge.job)
  }
}
