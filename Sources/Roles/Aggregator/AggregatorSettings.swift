package import Pipeline
import Posix

/// How an aggregator dispatches and retries.
package struct AggregatorSettings: Sendable {
  /// Jobs at once per host, over all fetchers, wherever redirects lead, and the time between two starts there.
  package var hostPaces: HostPaces
  package var retry: RetryRule
  /// Failures in a row to reach a host until it is given up for a while, at least 1; nil for never.
  package var givesUpAfter: Int? = HostHealth.defaultLimit
  /// What each first attempt adds to the retries that may be made, in hundredths of one.
  package var retryBudgetPercent = 20
  /// The batch whose open jobs are taken up again at the start; nil for all that the ledger holds.
  package var onlyBatch: BatchID?
  /// Workers are processes of their own that outlive an aggregator, and keep their leases when it starts again.
  package var workersMayLive = false
  /// Ready jobs that are kept in memory; the others wait in the ledger.
  package var mostInMemory = Int.max
  /// Jobs that may be open at once, over all batches; producers wait while there are more.
  package var mostOpenJobs = Int.max
  /// How long a batch is kept when all its jobs are over; nil for ever.
  package var keepsBatchesMilliseconds: Int64?
  /// How long after its last submission a batch is closed whose producer went away before it said how many jobs there are;
  /// nil for never.
  package var abandonsBatchesMilliseconds: Int64?

  /// What members show that may fetch and ask; nil where the transport knows what they may, or all may do all.
  package var runKey: RunKey?
  /// How the fleet's fetchers fetch.
  package var handed = HandedOptions()
  /// The ledger that a fleet had here before, when it was gone at the start.
  package var lostLedger: String?
  /// Which program it runs in, for the status; of an empty version to allow any worker.
  package var program = WorkerProgram(version: "")

  package init(perHost: Int = 8, hostDelayMilliseconds: Int64 = 0, retry: RetryRule = RetryRule()) {
    hostPaces = HostPaces(HostPace(atOnce: perHost, delayMilliseconds: hostDelayMilliseconds))
    self.retry = retry
  }

  /// Jobs at once of hosts without a number of their own.
  package var perHost: Int {
    get { hostPaces.defaultPace.atOnce }
    set { hostPaces.defaultPace.atOnce = newValue }
  }

  /// Least time between two starts on hosts without a time of their own.
  package var hostDelayMilliseconds: Int64 {
    get { hostPaces.defaultPace.delayMilliseconds }
    set { hostPaces.defaultPace.delayMilliseconds = newValue }
  }
}

extension Dispatcher {
  init(
    settings: AggregatorSettings, lastToken: LeaseToken = LeaseToken(0),
    leaseKey: LeaseKey = LeaseKey(high: 0, low: 0)
  ) {
    self.init(
      paces: settings.hostPaces, mostInMemory: settings.mostInMemory, givesUpAfter: settings.givesUpAfter,
      lastToken: lastToken, leaseKey: leaseKey)
  }
}

/// The fetch options that an aggregator hands to its fetchers. They may change while it runs.
package final class HandedOptions: Sendable {
  private let current: Lock<FetchOptions?>
  private let secrets: Set<String>
  private let isPrivate: @Sendable (Address) -> Bool

  /// - Parameters:
  ///   - options: nil to hand out none.
  ///   - secrets: The names of those that not everyone may read.
  ///   - isPrivate: Whether no one else can read what goes to an address.
  package init(
    _ options: FetchOptions? = nil, secrets: Set<String> = [],
    isPrivate: @escaping @Sendable (Address) -> Bool = { _ in true }
  ) {
    (current, self.secrets, self.isPrivate) = (Lock(options), secrets, isPrivate)
  }

  package var value: FetchOptions? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// What may be told there.
  func value(for address: Address) -> FetchOptions? {
    guard var options = value, !isPrivate(address) else { return value }
    options.withheld = options.given.map(\.name).filter(secrets.contains)
    options.given.removeAll { secrets.contains($0.name) }
    return options
  }
}
