/// What a stream service answers: values, as they come, until it ends or throws.
///
/// Nothing starts before the first value is asked for. Each iteration does the work anew. The work is cancelled when the
/// iterating task is, and when the iterator is dropped, as by leaving a `for` loop early.
public struct ServiceStream<Output: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// One value of the answer.
  public typealias Element = Output
  typealias Pull = () async throws(ServiceError<Failure>) -> Output?

  /// Makes what pulls one value after another, and starts nothing.
  private let makePull: @Sendable () -> Pull

  init(_ makePull: @escaping @Sendable () -> Pull) {
    self.makePull = makePull
  }

  /// Begins the work anew.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pull: makePull()) }

  /// One run of the work, which is cancelled when its iterator is dropped.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// Nil when there will be no more.
    fileprivate var pull: Pull?

    /// The next value; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(ServiceError<Failure>) -> Output? {
      guard let pull else { return nil }
      do throws(ServiceError<Failure>) {
        guard !Task.isCancelled else { throw .cancelled }
        if let value = try await pull() { return value }
        self.pull = nil
        return nil
      } catch {
        self.pull = nil
        throw error
      }
    }
  }
}
