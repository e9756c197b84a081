internal import Pipeline
internal import Roles

/// A question to a client, as a value: nothing starts before it is awaited, called or iterated, and each time it is asked
/// anew.
///
/// ```swift
/// let call = client.title("https://www.swift.org")
/// let page = try await call.value
/// let handle = call.call { result in print(result) }
/// for try await page in call { print(page.title) }
/// ```
public struct HalyardCall<Output: Sendable>: Sendable {
  let client: HalyardClient
  let draft: JobDraft
  let read: @Sendable (AnswerRow) throws(HalyardError) -> Output

  /// The call as a service, for ``CallbackService/asAsync()`` and the other adapters.
  public var service: CallbackService<Void, Output, HalyardError> {
    CallbackService { [client, draft, read] _, answer in
      client.core.ask(draft) { row in
        // A call keeps its client alive.
        withExtendedLifetime(client) {
          answer(row.flatMap { AnswerRow.read($0, as: read).mapError { .failed($0) } })
        }
      }
    }
  }

  /// What the call comes to, also when the task is cancelled; then its job is cancelled too.
  public var result: Result<Output, HalyardError> {
    get async {
      do throws(ServiceError<HalyardError>) {
        return .success(try await service.asAsync()(()))
      } catch {
        return .failure(HalyardError(error))
      }
    }
  }

  /// The value, or the error thrown.
  public var value: Output {
    get async throws(HalyardError) { try await result.get() }
  }

  /// Starts the call and returns at once.
  ///
  /// - Parameter handler: Called exactly once, on a thread of Swift's own pool: it must not block there, as by waiting for another call.
  /// - Returns: What cancels the call. The call goes on when it is dropped.
  @discardableResult
  public func call(_ handler: @escaping @Sendable (Result<Output, HalyardError>) -> Void) -> any CallHandle {
    service(()) { answer in handler(answer.mapError { HalyardError($0) }) }
  }
}

/// Iterating asks, and yields the one value.
extension HalyardCall: AsyncSequence {
  /// What the call finds.
  public typealias Element = Output

  /// Makes the call when it is first asked.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var values: ServiceStream<Output, HalyardError>.AsyncIterator

    /// What the call found; nil after that.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(HalyardError) -> Output? {
      do throws(ServiceError<HalyardError>) {
        return try await values.next(isolation: actor)
      } catch {
        throw HalyardError(error)
      }
    }
  }

  /// Begins a call of its own.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(values: service.asStream()(()).makeAsyncIterator())
  }
}
