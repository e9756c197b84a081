package import Pipeline

/// How many jobs each fetcher takes.
extension Dispatcher {
  /// - Parameters:
  ///   - hasLostJobs: What was sent to it got lost on the way, and the credit with it.
  ///   - watched: Milliseconds spent listening so far.
  package mutating func fetcherSpoke(_ hello: Hello, hasLostJobs: Bool = false, watched: Int64 = 0) {
    if fetchers[hello.worker] == nil || hasLostJobs || hasLostSome(hello, watched) {
      fetchers[hello.worker] = LaneSender(received: hello.received, granted: hello.granted)
    }
    fetchers[hello.worker]?.received(grant: hello.granted)
  }

  /// Whether a message for the fetcher got lost whose job is over, so no timeout would show it.
  private mutating func hasLostSome(_ hello: Hello, _ watched: Int64) -> Bool {
    if let mark = sentLately[hello.worker], hello.received < mark.sent {
      guard watched - mark.watched > Heartbeat.lostFrameMilliseconds else { return false }
      sentLately[hello.worker] = nil
      return true
    }
    sentLately[hello.worker] = fetchers[hello.worker].map { ($0.sent, watched) }
    return false
  }

  package mutating func received(_ credit: Credit) {
    fetchers[credit.from]?.received(grant: credit.granted)
  }

  /// How many more jobs it takes; nil for all but fetchers.
  package func freeCredit(of worker: WorkerID) -> UInt64? { fetchers[worker]?.available }

  package mutating func fetcherLeft(_ worker: WorkerID) {
    fetchers[worker] = nil
    sentLately[worker] = nil
    suspects.fetcherLeft(worker)
  }

  /// A fetcher died with these leases.
  ///
  /// - Returns: The job that is charged; nil when several share the death.
  package mutating func fetcherDied(executing: [LeaseToken], waiting: [LeaseToken]) -> JobID? {
    suspects.fetcherDied(executing: fetched(under: executing), waiting: fetched(under: waiting))
  }

  /// An echo is not fetched.
  private func fetched(under tokens: [LeaseToken]) -> [JobID] {
    tokens.compactMap { job(under: $0) }.filter { jobs[$0]?.job.kind != .echo }
  }
}
