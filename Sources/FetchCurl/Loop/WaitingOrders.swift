internal import Pipeline

/// Orders in the sequence they came; those that were begun and need more memory than there was wait by themselves.
struct WaitingOrders {
  private var orders = FIFO<FetchOrder>()
  private var large: [FetchOrder] = []

  var isEmpty: Bool { orders.isEmpty && large.isEmpty }

  /// What the first of the large ones needs.
  var wantedRoom: Int { large.first?.room ?? 0 }

  mutating func append(_ order: FetchOrder) {
    if order.room > 0 { large.append(order) } else { orders.append(order) }
  }

  /// Whether one could begin with so much memory free.
  func hasNext(room: Int) -> Bool {
    !orders.isEmpty || (!large.isEmpty && wantedRoom <= room)
  }

  /// Large ones come first, as they began first.
  mutating func next(room: Int) -> FetchOrder? {
    if !large.isEmpty, wantedRoom <= room { return large.removeFirst() }
    return orders.popFirst()
  }

  /// Takes out, in their sequence, the orders that meet the condition.
  mutating func take(where condition: (FetchOrder) -> Bool) -> [FetchOrder] {
    guard !isEmpty else { return [] }
    var taken = large.take(where: condition)
    orders.removeAll { order in
      let isTaken = condition(order)
      if isTaken { taken.append(order) }
      return isTaken
    }
    return taken
  }
}
