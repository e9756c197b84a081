/// Orders in the sequence they came.
struct WaitingOrders {
  private var orders: [FetchOrder] = []
  private var first = 0

  var isEmpty: Bool { first == orders.count }

  mutating func append(_ order: FetchOrder) {
    orders.append(order)
  }

  mutating func next() -> FetchOrder? {
    guard first < orders.count else { return nil }
    let order = orders[first]
    first += 1
    // Moving the rest once per thousand keeps taking cheap and lets go of what was taken.
    if first == orders.count || first >= 1_000 {
      orders.removeFirst(first)
      first = 0
    }
    return order
  }

  /// Takes out, in their sequence, the orders that meet the condition.
  mutating func take(where condition: (FetchOrder) -> Bool) -> [FetchOrder] {
    guard !isEmpty else { return [] }
    orders.removeFirst(first)
    first = 0
    let taken = orders.filter(condition)
    if !taken.isEmpty { orders.removeAll(where: condition) }
    return taken
  }
}
