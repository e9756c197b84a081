package import Links
package import Pipeline

/// What a fetcher may spend on one job.
package struct FetcherSettings: Sendable {
  /// Jobs under way at once.
  package var concurrency: Int
  package var maxHops = 20
  /// One attempt in all, every hop included.
  package var timeoutMilliseconds: Int64 = 30_000
  /// Pages are cut here; decoded bytes.
  package var pageCapBytes = 1 << 20
  /// Data beyond this is refused; decoded bytes.
  package var dataCapBytes = 8 << 20
  /// Asks so first where no body is needed; what does not like HEAD is asked again with GET.
  package var method = FetchRequest.Method.get
  /// Headers for the link's own origin, and for no other that it redirects to.
  package var ownHeaders: [HeaderField] = []
  /// What is for some hosts alone, whether links or redirects lead there.
  package var hosts = HostRequests()
  /// The name under which robots.txt is obeyed at each hop; nil to ignore robots.txt.
  package var robotsName: ProductToken?
  /// What the fleet said when it was asked for options; nil for a fetcher that did not ask.
  package var taken: TakenOptions?

  package init(concurrency: Int = 256) { self.concurrency = max(1, concurrency) }
}

/// What a fetcher took from its fleet.
package struct TakenOptions: Hashable, Sendable {
  private let hash: UInt64
  private let mask: UInt64

  /// - Parameters:
  ///   - hash: Of the options.
  ///   - hasOwnAddresses: Those that the fleet allows do not matter.
  package init(hash: UInt64, hasOwnAddresses: Bool = false) {
    (self.hash, mask) = (hash, hasOwnAddresses ? .max << 32 : .max)
  }

  func differ(from hash: UInt64) -> Bool { (hash ^ self.hash) & mask != 0 }
}

/// How long a walk may take.
struct AttemptDeadline: Sendable {
  let start: Moment
  /// For the attempt; waiting for turns does not count.
  let milliseconds: Int64
  /// The job's own deadline, for which everything counts.
  let jobDeadline: Moment?

  func deadline(waited: Int64) -> Moment {
    let ours = start.advanced(byMilliseconds: waited).advanced(byMilliseconds: milliseconds)
    return jobDeadline.map { min($0, ours) } ?? ours
  }

  /// A time-out that came from the job's own deadline is no reason to try again.
  func overdue(_ failure: Failure, at now: Moment) -> Failure {
    guard failure.kind == .timeout, let jobDeadline, now >= jobDeadline else { return failure }
    return Failure(.deadline, at: failure.stage, failure.message)
  }
}
