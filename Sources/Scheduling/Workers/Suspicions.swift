package import Pipeline

/// Crashes that were charged because a lane went down. A worker that speaks again did not die, so its charge is taken
/// back. Times are milliseconds of listening.
package struct Suspicions: Sendable {
  /// The job, the lease that it was lost under, and with whom, until when the worker may speak.
  package struct Charge: Hashable, Sendable {
    package var job: JobID
    package var token: LeaseToken
    var worker: WorkerID
    var until: Int64
  }

  /// Few, and in the order in which they end.
  private var open: [Charge] = []

  var count: Int { open.count }
  var nextEnd: Int64? { open.first?.until }

  package func hasAny(of job: JobID) -> Bool { open.contains { $0.job == job } }

  package mutating func charged(
    _ job: JobID, lostUnder token: LeaseToken, with worker: WorkerID, at watched: Int64
  ) {
    let until = watched + Heartbeat.reappearanceMilliseconds
    open.append(Charge(job: job, token: token, worker: worker, until: until))
  }

  /// - Returns: What it did not die of, as it lives.
  package mutating func spoke(_ worker: WorkerID) -> [Charge] {
    guard !open.isEmpty else { return [] }
    defer { open.removeAll { $0.worker == worker } }
    return open.filter { $0.worker == worker }
  }

  /// - Returns: The jobs whose charge stands, as the worker has not spoken since.
  package mutating func confirmed(at watched: Int64) -> [JobID] {
    let past = open.prefix { $0.until <= watched }
    open.removeFirst(past.count)
    return past.map(\.job)
  }
}
