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

  /// Answers with a stream of one value; the work runs in a task of its own, beside the iteration.
  public func asStream() -> StreamService<Input, Output, Failure> {
    .answering(capacity: 1) { input, emit throws(ServiceError<Failure>) in
      try await emit(try await self(input))
    }
  }
}

extension CallbackService {
  /// Waits for the answer; a cancelled task cancels the call and gets ``ServiceError/cancelled`` at once.
  public func asAsync() -> AsyncService<Input, Output, Failure> {
    .answering { input throws(ServiceError<Failure>) in
      try await answer { begin(input, then: $0) }.get()
    }
  }

  /// The same service.
  public func asCallback() -> CallbackService { self }

  /// Answers with a stream of one value.
  public func asStream() -> StreamService<Input, Output, Failure> { asAsync().asStream() }
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
