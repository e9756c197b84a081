import Links
package import Pipeline

/// How many jobs each fetcher takes.
extension Dispatcher {
  struct Fetcher: Sendable {
    var lane: LaneSender
    /// What had been sent at one of its HELLOs, and when, until it says that it has it.
    var mark: (sent: UInt64, watched: Int64)?

    /// Whether a message for it got lost whose job is over, so no timeout would show it.
    mutating func hasLostSome(_ hello: Hello, _ watched: Int64) -> Bool {
      if let mark, hello.received < mark.sent {
        return watched - mark.watched > Heartbeat.lostFrameMilliseconds
      }
      mark = (lane.sent, watched)
      return false
    }
  }

  /// - Parameters:
  ///   - hasLostJobs: What was sent to it got lost on the way, and the credit with it.
  ///   - watched: Milliseconds spent listening so far.
  package mutating func fetcherSpoke(_ hello: Hello, hasLostJobs: Bool = false, watched: Int64 = 0) {
    if hasLostJobs || fetchers[hello.worker]?.hasLostSome(hello, watched) ?? true {
      fetchers[hello.worker] = Fetcher(
        lane: LaneSender(received: hello.received, granted: hello.granted))
    }
    fetchers[hello.worker]?.lane.received(grant: hello.granted, of: hello.received)
  }

  package mutating func received(_ credit: Credit) {
    fetchers[credit.from]?.lane.received(grant: credit.granted)
  }

  /// How many more jobs it takes; nil for all but fetchers.
  package func freeCredit(of worker: WorkerID) -> UInt64? { fetchers[worker]?.lane.available }

  package mutating func fetcherLeft(_ worker: WorkerID) {
    fetchers[worker] = nil
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

  /// Jobs that a fetcher may have above the freest one and still get more for its hosts.
  private static let mostAhead: UInt64 = 4

  /// The fetcher to take a host's job: always the same, because it has connections to the host, unless another one has
  /// clearly less to do.
  func fetcher(for host: String, _ freest: (id: WorkerID, credit: UInt64)) -> WorkerID {
    guard fetchers.count > 1 else { return freest.id }
    var ofHost = StableHash()
    ofHost.add(host)
    var best: (id: WorkerID, hash: UInt64)?
    for (id, fetcher) in fetchers where fetcher.lane.available > 0 && suspects.isOpen(id) {
      guard fetcher.lane.available + Self.mostAhead >= freest.credit else { continue }
      var hash = ofHost
      hash.add(id.uuid.low)
      if let best, (best.hash, best.id) > (hash.value, id) { continue }
      best = (id, hash.value)
    }
    return best?.id ?? freest.id
  }
}
