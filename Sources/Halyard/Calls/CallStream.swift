/// Values of a client, as they come, until they end or the stream throws a ``HalyardError``.
///
/// Nothing is asked before the first value is. Leaving the loop, and cancelling its task, cancels what is under way.
public struct CallStream<Element: Sendable>: AsyncSequence, Sendable {
  private let values: ServiceStream<Element, HalyardError>

  init(_ values: ServiceStream<Element, HalyardError>) {
    self.values = values
  }

  /// Begins anew.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(values: values.makeAsyncIterator()) }

  /// One run, which is cancelled when its iterator is dropped.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var values: ServiceStream<Element, HalyardError>.AsyncIterator

    /// The next value; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(HalyardError) -> Element? {
      do throws(ServiceError<HalyardError>) {
        return try await values.next(isolation: actor)
      } catch {
        throw HalyardError(error)
      }
    }
  }
}
