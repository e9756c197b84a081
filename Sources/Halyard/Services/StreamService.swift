public import HalyardConcurrency

/// What a stream service answers: values, as they come.
public typealias ServiceStream<Output: Sendable, Failure: Error> = ValueStream<Output, ServiceError<Failure>>

/// A service that answers with a stream of one or many values.
public struct StreamService<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  /// What emits values one by one.
  public typealias Work<Thrown: Error> =
    @Sendable (Input, StreamEmitter<Output, Failure>) async throws(Thrown) -> Void

  private let capacity: TaskChannelCapacity
  private let work: Work<ServiceError<Failure>>

  /// A service whose work tells its own cancellation from its failures.
  public static func answering(
    capacity: TaskChannelCapacity = 0, _ work: @escaping Work<ServiceError<Failure>>
  ) -> StreamService {
    StreamService(capacity: capacity, work: work)
  }

  /// The values as a sequence; nothing starts before it is iterated.
  public func callAsFunction(_ input: Input) -> ServiceStream<Output, Failure> {
    ServiceStream(capacity: capacity, cancellation: .cancelled) { values throws(ServiceError<Failure>) in
      try await work(input, StreamEmitter(channel: values))
    }
  }
}

extension StreamService {
  /// Makes a service of work that emits its values one by one.
  ///
  /// - Parameters:
  ///   - capacity: How many values the work may be ahead of the iteration. With 0 it waits for each to be taken.
  ///   - work: Done anew by each iteration, beside it. What it throws is thrown behind the values that it emitted, and is its
  ///     failure, but for errors that are a cancellation.
  public init(capacity: TaskChannelCapacity = 0, _ work: @escaping Work<Failure>) {
    self = .answering(capacity: capacity) { input, emit throws(ServiceError<Failure>) in
      do throws(Failure) { try await work(input, emit) } catch { throw ServiceError(thrown: error) }
    }
  }
}

extension StreamService where Input == Void {
  /// The values as a sequence; nothing starts before it is iterated.
  public func callAsFunction() -> ServiceStream<Output, Failure> { self(()) }
}

/// Where the work of a stream service puts its values.
public struct StreamEmitter<Output: Sendable, Failure: Error>: Sendable {
  let channel: TaskChannel<Output>

  /// Hands a value to the iteration, and waits while that is behind.
  ///
  /// Throws ``ServiceError/cancelled`` when the iteration has ended: the work has no reason to go on.
  public func callAsFunction(_ value: Output) async throws(ServiceError<Failure>) {
    do throws(TaskChannelError) { try await channel.send(value) } catch { throw .cancelled }
  }
}
