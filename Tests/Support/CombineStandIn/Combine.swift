// The protocols and the few types of Combine that the client library uses, with Combine's own signatures.

public protocol Cancellable {
  func cancel()
}

public protocol Subscription: Cancellable {
  func request(_ demand: Subscribers.Demand)
}

public enum Subscribers {
  public struct Demand: Comparable, Sendable {
    private let count: Int

    public static let none = Demand(count: 0)
    public static let unlimited = Demand(count: .max)

    public static func max(_ count: Int) -> Demand { Demand(count: count) }

    public static func < (one: Demand, other: Demand) -> Bool { one.count < other.count }
  }

  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }
}

public protocol Subscriber<Input, Failure> {
  associatedtype Input
  associatedtype Failure: Error

  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error

  func receive<S: Subscriber>(subscriber: S) where S.Failure == Failure, S.Input == Output
}

public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  private let subscriber: any Subscriber<Input, Failure>

  public init<S: Subscriber>(_ subscriber: S) where S.Failure == Failure, S.Input == Input {
    self.subscriber = subscriber
  }

  public func receive(subscription: any Subscription) { subscriber.receive(subscription: subscription) }
  public func receive(_ input: Input) -> Subscribers.Demand { subscriber.receive(input) }
  public func receive(completion: Subscribers.Completion<Failure>) {
    subscriber.receive(completion: completion)
  }
}
