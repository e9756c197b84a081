/// Orders in the sequence they came; those that were begun and need more memory than there was wait by themselves.
struct WaitingOrders {
  private var orders: [FetchOrder] = []
  private var first = 0
  private var large: [FetchOrder] = []

  var isEmpty: Bool { first == orders.count && large.isEmpty }

  /// What the first of the large ones needs.
  var wantedRoom: Int { large.first?.room ?? 0 }

  mutating func append(_ order: FetchOrder) {
    if order.room > 0 { large.append(order) } else { orders.append(order) }
  }

  /// Whether one could begin with so much memory free.
  func hasNext(room: Int) -> Bool {
    first < orders.count || (!large.isEmpty && wantedRoom <= room)
  }

  /// Large ones come first, as they began first.
  mutating func next(room: Int) -> FetchOrder? {
    if !large.isEmpty, wantedRoom <= room { return large.removeFirst() }
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
    return large.take(where: condition) + orders.take(where: condition)
  }
}
