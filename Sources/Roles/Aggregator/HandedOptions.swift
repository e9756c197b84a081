package import Pipeline
import Posix

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
