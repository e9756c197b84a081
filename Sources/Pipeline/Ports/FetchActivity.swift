internal import Synchronization

/// Whether a fetcher works on a job, or only waits for its server: it cannot die of a job of which nothing has come.
/// Adapters that do not report leave it as it is.
public final class FetchActivity: Sendable {
  private let executing = Atomic(true)

  public init() {}

  public var isExecuting: Bool { executing.load(ordering: .acquiring) }

  /// Something has come from the server.
  public func works() { executing.store(true, ordering: .releasing) }

  /// Nothing has come yet.
  public func waits() { executing.store(false, ordering: .releasing) }
}
