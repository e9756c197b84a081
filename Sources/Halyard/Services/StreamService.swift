public import HalyardConcurrency

/// A service that answers with a stream of one or many values.
public struct StreamService<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  private let stream: @Sendable (Input) -> ServiceStream<Output, Failure>

  /// What emits values one by one.
  public typealias Work<Thrown: Error> =
    @Sendable (Input, StreamEmitter<Output, Failure>) async throws(Thrown) -> Void

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

  /// A service whose work tells its own cancellation from its failures.
  public static func answering(
    capacity: TaskChannelCapacity = 0, _ work: @escaping Work<ServiceError<Failure>>
  ) -> StreamService {
    StreamService(streaming: { input in
      ServiceStream {
        var run: StreamRun<Output, Failure>?
        return { () async throws(ServiceError<Failure>) in
          let current =
            run ?? StreamRun(capacity) { emit throws(ServiceError<Failure>) in try await work(input, emit) }
          run = current
          return try await current.next()
        }
      }
    })
  }

  init(streaming stream: @escaping @Sendable (Input) -> ServiceStream<Output, Failure>) {
    self.stream = stream
  }

  /// The values as a sequence; nothing starts before it is iterated.
  public func callAsFunction(_ input: Input) -> ServiceStream<Output, Failure> { stream(input) }
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

/// The work of one iteration.
final class StreamRun<Output: Sendable, Failure: Error>: Sendable {
  private let channel: TaskChannel<Output>
  private let task: Task<ServiceAnswer<Void, Failure>, Never>

  init(
    _ capacity: TaskChannelCapacity,
    _ work: @escaping @Sendable (StreamEmitter<Output, Failure>) async throws(ServiceError<Failure>) -> Void
  ) {
    let channel = TaskChannel<Output>(capacity: capacity)
    self.channel = channel
    task = Task {
      defer { channel.close() }
      do throws(ServiceError<Failure>) {
        return .success(try await work(StreamEmitter(channel: channel)))
      } catch {
        return .failure(error)
      }
    }
  }

  deinit {
    stop()
  }

  /// The next value, or nil at the end. Returns only after the work has ended when there is no value.
  func next() async throws(ServiceError<Failure>) -> Output? {
    do throws(TaskChannelError) {
      if let value = try await channel.receive() { return value }
    } catch {
      stop()
      _ = await task.value
      throw .cancelled
    }
    try await task.value.get()
    return nil
  }

  private func stop() {
    task.cancel()
    channel.cancel()
  }
}
