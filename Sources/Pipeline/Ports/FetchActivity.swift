internal import Synchronization

/// Whether a fetcher works on what a peer sent, or only waits for its server: of that it cannot die. Adapters that do not
/// tell leave it as it is.
public final class FetchActivity: Sendable {
  private let executing = Atomic(true)

  public init() {}

  public var isExecuting: Bool { executing.load(ordering: .acquiring) }

  /// Bytes of a peer are about to be read.
  public func works() { executing.store(true, ordering: .releasing) }

  /// Nothing of a peer is left to be read, and nothing has come.
  public func waits() { executing.store(false, ordering: .releasing) }
}
