import CombineStandIn
import Halyard
import HalyardConcurrency
import Posix

/// A subscriber that writes down what it is told, and does with its subscription what a test says.
final class Watcher<Input: Sendable, Failure: Error>: Subscriber, Sendable {
  enum Event: Sendable {
    case value(Input)
    case finished
    case failure(Failure)
  }

  private struct Held: @unchecked Sendable {
    var subscription: (any Subscription)?
  }

  let events = TaskChannel<Event>(capacity: .unbounded)
  private let held = Lock(Held())
  private let demand: Subscribers.Demand
  private let cancelsInReceive: Bool

  init(_ demand: Subscribers.Demand = .unlimited, cancelsInReceive: Bool = false) {
    (self.demand, self.cancelsInReceive) = (demand, cancelsInReceive)
  }

  func cancel() { held.withLock { $0 }.subscription?.cancel() }

  func request(_ demand: Subscribers.Demand) { held.withLock { $0 }.subscription?.request(demand) }

  func receive(subscription: any Subscription) {
    let new = Held(subscription: subscription)
    held.withLock { $0 = new }
    request(demand)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if cancelsInReceive { cancel() }
    _ = try? events.offer(.value(input))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: _ = try? events.offer(.finished)
    case .failure(let error): _ = try? events.offer(.failure(error))
    }
  }
}

/// Cancels from a handler's side: what came of a call that was cancelled in a subscription.
final class CountedHandle: CallHandle {
  private let count = Lock(0)

  var cancelled: Int { count.withLock { $0 } }

  func cancel() { count.withLock { $0 += 1 } }
}
