import Posix

/// What tasks want done on the loop's thread. One ring of the bell announces all that comes before the thread looks.
final class Mailbox: Sendable {
  typealias Order = @Sendable (ServerLoop) -> Void

  let bell: Bell
  /// Whether the thread has ended, after which nothing more is done.
  let isOver = Condition(false) { $0 }
  private let orders = Lock<[Order]>([])

  init() throws(PosixError) {
    bell = try Bell()
  }

  func put(_ order: @escaping Order) {
    let isFirst = orders.withLock { orders in
      orders.append(order)
      return orders.count == 1
    }
    if isFirst { bell.ring() }
  }

  /// After the bell.
  func take() -> [Order] {
    bell.silence()
    return orders.withLock { exchange(&$0, with: []) }
  }
}

/// Something that tasks wait for.
final class Condition<State: Sendable>: Sendable {
  private let held: Lock<(state: State, waiters: [CheckedContinuation<Void, Never>])>
  private let isMet: @Sendable (State) -> Bool

  init(_ state: State, isMet: @escaping @Sendable (State) -> Bool) {
    self.isMet = isMet
    held = Lock((state, []))
  }

  var state: State { held.withLock { $0.state } }

  /// Wakes those who wait if it is met now.
  func change(_ body: @Sendable (inout State) -> Void) {
    let waiters: [CheckedContinuation<Void, Never>] = held.withLock { held in
      body(&held.state)
      return isMet(held.state) ? exchange(&held.waiters, with: []) : []
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isMetNow = held.withLock { held in
        let isMetNow = isMet(held.state)
        if !isMetNow { held.waiters.append(continuation) }
        return isMetNow
      }
      if isMetNow { continuation.resume() }
    }
  }
}
