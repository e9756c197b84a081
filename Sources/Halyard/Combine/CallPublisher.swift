// On Linux the tests compile this file, against a stand-in for Combine.
#if canImport(Combine) || HALYARD_COMBINE_STAND_IN
  #if HALYARD_COMBINE_STAND_IN
    public import CombineStandIn
    public import Halyard
  #else
    public import Combine
  #endif
  internal import Posix

  extension HalyardCall {
    /// The call as a publisher of one value: each subscriber asks anew, when it wants a value.
    public var publisher: some Publisher<Output, HalyardError> { CallPublisher { call($0) } }
  }

  extension CallbackService {
    /// The service as a publisher of one value: each subscriber calls it anew, when it wants a value.
    public func asPublisher(of input: Input) -> some Publisher<Output, ServiceError<Failure>> {
      CallPublisher { self(input, then: $0) }
    }
  }

  extension AsyncService {
    /// The service as a publisher of one value: each subscriber calls it anew, when it wants a value.
    public func asPublisher(of input: Input) -> some Publisher<Output, ServiceError<Failure>> {
      asCallback().asPublisher(of: input)
    }
  }

  extension StreamService {
    /// The service's first value as a publisher: each subscriber calls it anew, when it wants a value.
    public func asPublisher(of input: Input) -> some Publisher<Output, ServiceError<Failure>> {
      asCallback().asPublisher(of: input)
    }
  }

  private struct CallPublisher<Output: Sendable, Failure: Error>: Publisher {
    typealias Ask = @Sendable (@escaping @Sendable (Result<Output, Failure>) -> Void) -> any CallHandle

    let ask: Ask

    func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output {
      subscriber.receive(subscription: CallSubscription(ask, AnySubscriber(subscriber)))
    }
  }

  /// Holds its subscriber until that has its completion, or cancels. Combine's own rules keep the subscriber to one thread at
  /// a time.
  private final class CallSubscription<Output: Sendable, Failure: Error>: Subscription, Sendable {
    typealias Ask = CallPublisher<Output, Failure>.Ask

    /// Unchecked, because Combine's subscribers are not sendable: the lock guards this one, and only one thread gets to call it.
    private enum State: @unchecked Sendable {
      case idle(Ask, AnySubscriber<Output, Failure>)
      case asked(AnySubscriber<Output, Failure>, (any CallHandle)?)
      case over
    }

    private let state: Lock<State>

    init(_ ask: @escaping Ask, _ subscriber: AnySubscriber<Output, Failure>) {
      state = Lock(State.idle(ask, subscriber))
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > .none, let ask = begin() else { return }
      let handle = ask { self.answer($0) }
      if !keep(handle) { handle.cancel() }
    }

    func cancel() {
      if case .asked(_, let handle?) = end() { handle.cancel() }
    }

    private func answer(_ result: Result<Output, Failure>) {
      switch result {
      case .success(let value):
        guard case .asked(let subscriber, _) = state.withLock({ $0 }) else { return }
        _ = subscriber.receive(value)
        // If it cancelled while it received, it gets no completion.
        guard case .asked = end() else { return }
        subscriber.receive(completion: .finished)
      case .failure(let error):
        guard case .asked(let subscriber, _) = end() else { return }
        subscriber.receive(completion: .failure(error))
      }
    }

    /// - Returns: Nil when it has been asked before.
    private func begin() -> Ask? {
      state.withLock { state in
        guard case .idle(let ask, let subscriber) = state else { return nil }
        state = .asked(subscriber, nil)
        return ask
      }
    }

    /// - Returns: False when it was cancelled, or answered, meanwhile.
    private func keep(_ handle: any CallHandle) -> Bool {
      state.withLock { state in
        guard case .asked(let subscriber, _) = state else { return false }
        state = .asked(subscriber, handle)
        return true
      }
    }

    /// - Returns: How it was. The subscriber in it is let go outside the lock.
    private func end() -> State {
      state.withLock { state in
        defer { state = .over }
        return state
      }
    }
  }
#endif
