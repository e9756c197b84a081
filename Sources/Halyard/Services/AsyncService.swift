/// A service that is called as an async function.
///
/// The call ends when the work has ended, also when the calling task is cancelled: the work is told so, and decides how
/// fast it ends. A task that is cancelled already starts nothing.
///
/// ```swift
/// let titles = AsyncService { (link: String) in try await client.title(link).get().title }
/// print(try await titles("https://www.swift.org"))
/// ```
public struct AsyncService<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  private let work: @Sendable (Input) async throws(ServiceError<Failure>) -> Output

  /// A service whose work tells its own cancellation from its failures.
  public static func answering(
    _ work: @escaping @Sendable (Input) async throws(ServiceError<Failure>) -> Output
  ) -> AsyncService {
    AsyncService(work: work)
  }

  /// Does the work and returns what it found.
  public func callAsFunction(_ input: Input) async throws(ServiceError<Failure>) -> Output {
    guard !Task.isCancelled else { throw .cancelled }
    return try await work(input)
  }
}

extension AsyncService {
  /// Makes a service of any function. What it throws is its failure, but for errors that are a cancellation.
  ///
  /// - Parameter work: Started by every call. A closure that throws makes a service that fails with `any Error`; a function
  ///   with typed throws makes one that fails with that type.
  public init(_ work: @escaping @Sendable (Input) async throws(Failure) -> Output) {
    self = .answering { input throws(ServiceError<Failure>) in
      do throws(Failure) { return try await work(input) } catch { throw ServiceError(thrown: error) }
    }
  }
}

extension AsyncService where Input == Void {
  /// Does the work and returns what it found.
  public func callAsFunction() async throws(ServiceError<Failure>) -> Output { try await self(()) }
}
