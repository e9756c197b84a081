#if canImport(Combine)
  public import Combine
  internal import Posix

  extension HalyardCall {
    /// The call as a publisher of one value: each subscriber asks anew, when it wants a value.
    public var publisher: some Publisher<Output, HalyardError> { CallPublisher(call: self) }
  }

  private struct CallPublisher<Output: Sendable>: Publisher {
    typealias Failure = HalyardError

    let call: HalyardCall<Output>

    func receive(subscriber: some Subscriber<Output, HalyardError>) {
      subscriber.receive(subscription: CallSubscription(call, AnySubscriber(subscriber)))
    }
  }

  /// Combine's own rules keep the subscriber to one thread at a time: it is told once.
  private final class CallSubscription<Output: Sendable>: Combine.Subscription, @unchecked Sendable {
    private let call: HalyardCall<Output>
    private let subscriber: AnySubscriber<Output, HalyardError>
    private let state = Lock(State.idle)

    private enum State: Sendable {
      case idle
      case asked((any CallHandle)?)
      case cancelled
    }

    init(_ call: HalyardCall<Output>, _ subscriber: AnySubscriber<Output, HalyardError>) {
      self.call = call
      self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
      let isFirst = state.withLock { state in
        guard case .idle = state, demand > .none else { return false }
        state = .asked(nil)
        return true
      }
      guard isFirst else { return }
      let handle = call.call { self.answer($0) }
      let isWanted = state.withLock { state in
        guard case .asked = state else { return false }
        state = .asked(handle)
        return true
      }
      if !isWanted { handle.cancel() }
    }

    func cancel() {
      let handle: (any CallHandle)? = state.withLock { state in
        defer { state = .cancelled }
        guard case .asked(let handle) = state else { return nil }
        return handle
      }
      handle?.cancel()
    }

    /// A cancelled subscriber gets no completion, as Combine has it.
    private func answer(_ result: Result<Output, HalyardError>) {
      let isWanted = state.withLock { state in
        if case .cancelled = state { false } else { true }
      }
      guard isWanted else { return }
      switch result {
      case .success(let value):
        _ = subscriber.receive(value)
        subscriber.receive(completion: .finished)
      case .failure(let error): subscriber.receive(completion: .failure(error))
      }
    }
  }
#endif
