/// A service that is called as an async function.
///
/// The call ends when the work has ended, also when the calling task is cancelled: the work is told so, and decides how
/// fast it ends. A task that is cancelled already starts nothing.
public struct AsyncService<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  private let work: @Sendable (Input) async throws(ServiceError<Failure>) -> Output

  /// - Parameter work: Started by every call; says itself when it was cancelled.
  public init(_ work: @escaping @Sendable (Input) async throws(ServiceError<Failure>) -> Output) {
    self.work = work
  }

  /// Makes a service of any function; a `CancellationError` that it throws is a cancellation, all else a failure.
  public init(throwing work: @escaping @Sendable (Input) async throws(Failure) -> Output) {
    self.init { input throws(ServiceError<Failure>) in
      do throws(Failure) { return try await work(input) } catch { throw ServiceError(thrown: error) }
    }
  }

  /// Does the work and returns what it found.
  public func callAsFunction(_ input: Input) async throws(ServiceError<Failure>) -> Output {
    guard !Task.isCancelled else { throw .cancelled }
    return try await work(input)
  }
}
