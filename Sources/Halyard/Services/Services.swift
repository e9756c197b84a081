public import HalyardConcurrency
internal import Posix

@_exported public import protocol HalyardConcurrency.CancellationReporting

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

/// A service that answers by calling back, for code that is not async.
///
/// Whatever the work does, the handler is called exactly once: a second answer is dropped, one that never comes because the
/// work dropped its callback is ``ServiceError/unanswered``, and a cancelled call is answered ``ServiceError/cancelled`` at
/// once, however long the work takes to notice.
///
/// Handlers are called in tasks of their own, never inside the call or its cancellation. So you may call and cancel while you
/// hold a lock that the handler takes.
public struct CallbackService<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  /// How a call ends: with its output, or with its failure.
  public typealias Answer = ServiceAnswer<Output, Failure>
  /// What is called with the answer, once.
  public typealias Handler = @Sendable (Answer) -> Void

  private let start: @Sendable (Input, @escaping Handler) -> (any CallHandle)?

  /// A service whose work tells its own cancellation from its failures.
  public static func answering(
    _ start: @escaping @Sendable (Input, @escaping Handler) -> (any CallHandle)?
  ) -> CallbackService {
    CallbackService(start: start)
  }

  /// Starts the work and returns at once.
  ///
  /// - Parameter handler: Called in a task of its own, on Swift's thread pool: it must not block there.
  /// - Returns: What cancels the call. The call goes on when it is dropped.
  @discardableResult
  public func callAsFunction(_ input: Input, then handler: @escaping Handler) -> any CallHandle {
    // The answer may come inside this call, or inside the cancellation, where the caller may hold a lock.
    begin(input) { answer in Task.detached { handler(answer) } }
  }

  /// - Parameter resume: Called on any thread, also on this one: what it does is to be harmless there.
  func begin(_ input: Input, then resume: @escaping Handler) -> any CallHandle {
    CallbackCall(resume) { start(input, $0) }
  }
}

extension CallbackService {
  /// Makes a service of a function that calls back with a result.
  ///
  /// - Parameter start: Started by every call. Calls back when it has a result, from any thread, and returns what ends
  ///   it early; nil when nothing can. A failure that is a cancellation is ``ServiceError/cancelled``.
  public init(
    _ start:
      @escaping @Sendable (Input, @escaping @Sendable (Result<Output, Failure>) -> Void) -> (any CallHandle)?
  ) {
    self = .answering { input, answer in
      start(input) { result in answer(result.mapError { ServiceError(thrown: $0) }) }
    }
  }
}

extension CallbackService where Input == Void {
  /// Starts the work and returns at once; see ``callAsFunction(_:then:)``.
  @discardableResult
  public func callAsFunction(then handler: @escaping Handler) -> any CallHandle { self((), then: handler) }
}

/// One call of a service that calls back: lets only the first answer through.
final class CallbackCall<Output: Sendable, Failure: Error>: CallHandle {
  typealias Handler = @Sendable (ServiceAnswer<Output, Failure>) -> Void

  private struct Waiting: Sendable {
    let handler: Handler
    var work: (any CallHandle)?
  }

  /// Nil once the call is over.
  private let waiting: Lock<Waiting?>

  init(_ handler: @escaping Handler, _ start: (@escaping Handler) -> (any CallHandle)?) {
    waiting = Lock(Waiting(handler: handler))
    let promise = Promise(self)
    let work = start { promise.call.end()?.handler($0) }
    waiting.withLock { $0?.work = work }
  }

  func cancel() {
    let waiting = end()
    waiting?.work?.cancel()
    waiting?.handler(.failure(.cancelled))
  }

  /// - Returns: Who is to be told; nil when it was over. The work is let go outside the lock.
  private func end() -> Waiting? { waiting.withLock { $0.take() } }

  /// Held by the work's callback alone: when that is gone, no answer can come any more.
  private final class Promise: Sendable {
    let call: CallbackCall

    init(_ call: CallbackCall) {
      self.call = call
    }

    deinit {
      call.end()?.handler(.failure(.unanswered))
    }
  }
}

/// A call that can be ended early.
public protocol CallHandle: Sendable {
  /// Ends the call; does nothing when it is over. May be called at any time, from any thread.
  func cancel()
}

extension Task: CallHandle {}

/// Starts a call and waits for its answer. Cancelling the task cancels the call.
///
/// The closures name the isolation that they are to keep, and so do not leave the caller's actor first.
///
/// - Parameter start: Its call answers exactly once, also when it is cancelled.
func answer<Answer: Sendable>(
  isolation: isolated (any Actor)? = #isolation,
  of start: (@escaping @Sendable (Answer) -> Void) -> any CallHandle
) async -> Answer {
  let call = Lock<(any CallHandle)?>(nil)
  return await withTaskCancellationHandler {
    _ = isolation
    return await withCheckedContinuation { caller in
      let begun = start { caller.resume(returning: $0) }
      call.withLock { $0 = begun }
      // The cancellation may have come before there was a call.
      if Task.isCancelled { begun.cancel() }
    }
  } onCancel: {
    call.withLock { $0 }?.cancel()
  }
}

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

/// Values, as they come, until they end or the stream throws.
///
/// Nothing starts before the first value is asked for. Each iteration does the work anew. The work is cancelled when the
/// iterating task is, and when the iterator is dropped, as by leaving a `for` loop early.
public struct ValueStream<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
  /// How many values the work may be ahead of the iteration.
  var capacity: TaskChannelCapacity = 0
  /// What is thrown when the iterating task is cancelled.
  let cancellation: Failure
  /// Done anew by each iteration, beside it.
  let work: @Sendable (TaskChannel<Element>) async throws(Failure) -> Void

  /// Begins the work anew.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(state: .idle(self)) }

  /// One run of the work, which is cancelled when its iterator is dropped.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate enum State {
      case idle(ValueStream)
      case running(StreamRun<Element, Failure>)
      case over
    }

    fileprivate var state: State

    /// The next value; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      let run: StreamRun<Element, Failure>
      switch state {
      case .idle(let stream):
        guard !Task.isCancelled else {
          state = .over
          throw stream.cancellation
        }
        run = StreamRun(stream)
      case .running(let current): run = current
      case .over: return nil
      }
      // Unless there is one more value.
      state = .over
      guard let value = try await run.next() else { return nil }
      state = .running(run)
      return value
    }
  }
}

/// The work of one iteration.
private final class StreamRun<Element: Sendable, Failure: Error>: Sendable {
  private let channel: TaskChannel<Element>
  private let cancellation: Failure
  private let task: Task<Result<Void, Failure>, Never>

  init(_ stream: ValueStream<Element, Failure>) {
    let channel = TaskChannel<Element>(capacity: stream.capacity)
    self.channel = channel
    cancellation = stream.cancellation
    task = Task {
      defer { channel.close() }
      do throws(Failure) { return .success(try await stream.work(channel)) } catch { return .failure(error) }
    }
  }

  deinit {
    stop()
  }

  /// The next value, or nil at the end. Returns only after the work has ended when there is no value.
  func next() async throws(Failure) -> Element? {
    do throws(TaskChannelError) {
      if let value = try await channel.receive() { return value }
    } catch {
      stop()
      _ = await task.value
      throw cancellation
    }
    try await task.value.get()
    return nil
  }

  private func stop() {
    task.cancel()
    channel.cancel()
  }
}

/// Why a service has no answer. The service's own error keeps its type in every style of calling it.
public enum ServiceError<Failure: Error>: Error {
  /// The service says so.
  case failed(Failure)
  /// The call was cancelled, by its caller or by the work.
  case cancelled
  /// The work ended without an answer: a callback that was dropped, or a stream without a value.
  case unanswered
}

extension ServiceError: Equatable where Failure: Equatable {}
extension ServiceError: Hashable where Failure: Hashable {}

/// What a call ends with, exactly once.
public typealias ServiceAnswer<Output, Failure: Error> = Result<Output, ServiceError<Failure>>

extension ServiceError: CancellationReporting {
  /// True for ``cancelled``, and for a failure that says so itself.
  public var reportsCancellation: Bool {
    switch self {
    case .cancelled: true
    case .failed(let error): error.isCancellation
    case .unanswered: false
    }
  }
}

extension ServiceError {
  /// What an error means that work threw: its own cancellation, or a failure.
  init(thrown error: Failure) {
    if let known = error as? ServiceError<Failure> {
      // Work that may throw anything has called another service.
      self = known
    } else {
      self = error.isCancellation ? .cancelled : .failed(error)
    }
  }
}
