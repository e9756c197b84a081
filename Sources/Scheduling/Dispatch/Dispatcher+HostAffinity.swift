import Links
import Pipeline

/// Which fetcher gets the jobs of a host.
extension Dispatcher {
  /// Jobs that a fetcher may have above the freest one and still get more for its hosts.
  private static let mostAhead: UInt64 = 4

  /// The fetcher to take a host's job: always the same, because it has connections to the host, unless another one has
  /// clearly less to do.
  func fetcher(for host: String, _ freest: (id: WorkerID, credit: UInt64)) -> WorkerID {
    guard fetchers.count > 1 else { return freest.id }
    var ofHost = StableHash()
    ofHost.add(host)
    var best: (id: WorkerID, hash: UInt64)?
    for (id, lane) in fetchers where lane.available > 0 {
      guard lane.available + Self.mostAhead >= freest.credit else { continue }
      var hash = ofHost
      hash.add(id.uuid.low)
      if let best, (best.hash, best.id) > (hash.value, id) { continue }
      best = (id, hash.value)
    }
    return best?.id ?? freest.id
  }
}
