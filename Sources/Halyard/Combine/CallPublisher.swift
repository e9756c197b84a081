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
    private struct State: @unchecked Sendable {
      /// Nil once it has been asked.
      var ask: Ask?
      /// Nil once it is over.
      var subscriber: AnySubscriber<Output, Failure>?
      var handle: (any CallHandle)?
    }

    private let state: Lock<State>

    init(_ ask: @escaping Ask, _ subscriber: AnySubscriber<Output, Failure>) {
      state = Lock(State(ask: ask, subscriber: subscriber))
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > .none, let ask = state.withLock({ $0.ask.take() }) else { return }
      let handle = ask { self.answer($0) }
      // It may be over by now.
      let isWanted = state.withLock { state in
        if state.subscriber != nil { state.handle = handle }
        return state.subscriber != nil
      }
      if !isWanted { handle.cancel() }
    }

    func cancel() { end().handle?.cancel() }

    private func answer(_ result: Result<Output, Failure>) {
      switch result {
      case .success(let value):
        guard let subscriber = state.withLock({ $0 }).subscriber else { return }
        _ = subscriber.receive(value)
        // If it cancelled while it received, it gets no completion.
        end().subscriber?.receive(completion: .finished)
      case .failure(let error): end().subscriber?.receive(completion: .failure(error))
      }
    }

    /// - Returns: How it was. The subscriber in it is let go outside the lock.
    private func end() -> State {
      state.withLock { state in
        defer { state = State() }
        return state
      }
    }
  }
#endif
