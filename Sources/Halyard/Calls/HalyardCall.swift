internal import HalyardConcurrency

/// A question to a client, as a value: nothing starts before it is asked, and each time it is asked anew.
///
/// ```swift
/// let call = client.title("https://www.swift.org")
/// let page = try await call.get()
/// let handle = call.call { result in print(result) }
/// for try await page in call.stream { print(page.title) }
/// ```
///
/// Calls can be made of closures, so that the tests of your program need no client:
///
/// ```swift
/// let call = HalyardCall { PageInfo(resolved: ResolvedLink(input: "https://a.test/"), title: "A page") }
/// ```
public struct HalyardCall<Output: Sendable>: Sendable {
  /// Who answers.
  enum Source: Sendable {
    case job(AskedJob, read: @Sendable (AnswerRow) throws(HalyardError) -> Output)
    case work(@Sendable () async throws(HalyardError) -> Output)
  }

  let source: Source

  init(_ job: AskedJob, _ read: @escaping @Sendable (AnswerRow) throws(HalyardError) -> Output) {
    source = .job(job, read: read)
  }

  /// A call that does some work of yours.
  ///
  /// - Parameter work: Done each time the call is asked. What it throws is the call's error: a ``HalyardError`` as it is, a
  ///   cancellation as ``HalyardError/Kind/cancelled``, anything else as ``HalyardError/Kind/underlying``.
  public init(_ work: @escaping @Sendable () async throws -> Output) {
    source = .work { () async throws(HalyardError) in
      do { return try await work() } catch {
        throw error.isCancellation ? .cancelledByCaller : HalyardError(thrown: error)
      }
    }
  }

  /// Asks, and returns the value. If the task is cancelled, the call is cancelled too.
  public func get() async throws(HalyardError) -> Output {
    guard !Task.isCancelled else { throw .cancelledByCaller }
    switch source {
    case .job(let job, let read): return try await answer { job.ask(read, $0) }.get()
    case .work(let work): return try await work()
    }
  }

  /// Asks, and returns what came of it, also when the task is cancelled; then the call is cancelled too.
  public func result() async -> Result<Output, HalyardError> {
    do throws(HalyardError) { return .success(try await get()) } catch { return .failure(error) }
  }

  /// Asks, and returns at once.
  ///
  /// - Parameter handler: Called exactly once, in a task of its own on Swift's thread pool, never inside this call or the
  ///   cancellation: it may take a lock that the caller holds. It must not block for long, as by waiting for another call.
  /// - Returns: What cancels the call. The call goes on when it is dropped.
  @discardableResult
  public func call(_ handler: @escaping @Sendable (Result<Output, HalyardError>) -> Void) -> any CallHandle {
    switch source {
    case .job(let job, let read): job.ask(read) { result in Task.detached { handler(result) } }
    // Work may take its time to notice that it is cancelled: a service answers at once.
    case .work: service { answer in handler(answer.mapError { HalyardError($0) }) }
    }
  }

  /// The value as a stream of one: iterating asks.
  public var stream: CallStream<Output> {
    CallStream(capacity: 1, cancellation: .cancelledByCaller) { values throws(HalyardError) in
      let value = try await get()
      // Refused when nothing iterates any more.
      _ = try? values.offer(value)
    }
  }

  /// The call as a service, for ``CallbackService/asAsync()`` and the other adapters.
  public var service: CallbackService<Void, Output, HalyardError> {
    switch source {
    case .job(let job, let read):
      .answering { _, answer in job.ask(read) { result in answer(result.mapError { .failed($0) }) } }
    case .work(let work): AsyncService(work).asCallback()
    }
  }
}

/// Values of a client, as they come, until they end or the stream throws a ``HalyardError``.
///
/// Nothing is asked before the first value is. Leaving the loop, and cancelling its task, cancels what is under way.
public typealias CallStream<Element: Sendable> = ValueStream<Element, HalyardError>

extension HalyardCall {
  /// The call with its value turned into another.
  ///
  /// - Parameter transform: What it throws is the call's error, as for ``init(_:)``.
  public func map<New: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> New
  ) -> HalyardCall<New> {
    HalyardCall<New> { try transform(try await get()) }
  }

  /// The call, and then another that follows from its value. The second is not asked if the first fails.
  ///
  /// - Parameter next: What it throws is the call's error, as for ``init(_:)``.
  public func then<New: Sendable>(
    _ next: @escaping @Sendable (Output) async throws -> HalyardCall<New>
  ) -> HalyardCall<New> {
    HalyardCall<New> { try await next(try await get()).get() }
  }
}
