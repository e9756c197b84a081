// From each style of service to each: nothing starts before the adapted service is called, or iterated. All directions
// meet in `AsyncService`, and what is in the style already stays as it is.

extension AsyncService {
  /// The same service.
  public func asAsync() -> AsyncService { self }

  /// Answers by calling back; the work runs in a task of its own, which cancelling the call cancels.
  public func asCallback() -> CallbackService<Input, Output, Failure> {
    .answering { input, answer in
      Task {
        do throws(ServiceError<Failure>) {
          answer(.success(try await self(input)))
        } catch {
          answer(.failure(error))
        }
      }
    }
  }

  /// Answers with a stream of one value; the work runs in the task that iterates.
  public func asStream() -> StreamService<Input, Output, Failure> {
    StreamService(streaming: { input in
      ServiceStream {
        var isDone = false
        return { () async throws(ServiceError<Failure>) in
          guard !isDone else { return nil }
          isDone = true
          return try await self(input)
        }
      }
    })
  }
}

extension CallbackService {
  /// Waits for the answer; a cancelled task cancels the call and gets ``ServiceError/cancelled`` at once.
  public func asAsync() -> AsyncService<Input, Output, Failure> {
    .answering { input throws(ServiceError<Failure>) in try await answer(to: input).get() }
  }

  /// The same service.
  public func asCallback() -> CallbackService { self }

  /// Answers with a stream of one value.
  public func asStream() -> StreamService<Input, Output, Failure> { asAsync().asStream() }

  /// The closure names the isolation that it is to keep, and so does not leave the caller's actor first.
  private func answer(to input: Input, isolation: isolated (any Actor)? = #isolation) async -> Answer {
    let call = CallbackCall<Output, Failure>()
    return await withTaskCancellationHandler {
      _ = isolation
      return await withCheckedContinuation { caller in
        begin(call, input) { caller.resume(returning: $0) }
      }
    } onCancel: {
      call.cancel()
    }
  }
}

extension StreamService {
  /// Answers with the first value, and asks for no other: the work is cancelled then. A stream without a value is
  /// ``ServiceError/unanswered``.
  public func asAsync() -> AsyncService<Input, Output, Failure> {
    .answering { input throws(ServiceError<Failure>) in
      var values = self(input).makeAsyncIterator()
      guard let first = try await values.next() else { throw .unanswered }
      return first
    }
  }

  /// Calls back with the first value, and asks for no other.
  public func asCallback() -> CallbackService<Input, Output, Failure> { asAsync().asCallback() }

  /// The same service.
  public func asStream() -> StreamService { self }
}
