/// The tasks that wait, first come, first served. One that gives up leaves by its ticket, wherever it stands.
struct WaitingLine<Waiter: Sendable>: Sendable {
  /// Those who left are still in here until they come to the front, or are too many.
  private var order = Ring<UInt64>()
  private var waiters: [UInt64: Waiter] = [:]

  var isEmpty: Bool { waiters.isEmpty }
  var count: Int { waiters.count }
  /// Those who left included.
  var places: Int { order.count }

  /// - Parameter ticket: One that no other task has.
  mutating func append(_ waiter: Waiter, ticket: UInt64) {
    if order.count > 2 * waiters.count + 16 { forgetThoseWhoLeft() }
    order.append(ticket)
    waiters[ticket] = waiter
  }

  mutating func popFirst() -> Waiter? {
    guard !waiters.isEmpty else { return nil }
    while let ticket = order.popFirst() {
      if let waiter = waiters.removeValue(forKey: ticket) { return waiter }
    }
    return nil
  }

  /// - Returns: Nil when its turn has come already.
  mutating func leave(_ ticket: UInt64) -> Waiter? {
    waiters.removeValue(forKey: ticket)
  }

  /// In the order in which they came.
  mutating func removeAll() -> [Waiter] {
    var all: [Waiter] = []
    while let waiter = popFirst() { all.append(waiter) }
    return all
  }

  private mutating func forgetThoseWhoLeft() {
    var rest = Ring<UInt64>()
    while let ticket = order.popFirst() {
      if waiters[ticket] != nil { rest.append(ticket) }
    }
    order = rest
  }
}
