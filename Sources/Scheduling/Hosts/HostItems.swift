import Pipeline

/// What waits for one host in one section, by batch: the batches take turns, and the items of each keep their order.
struct HostItems<Item: Sendable>: Sendable {
  private struct Part: Sendable {
    let batch: BatchID?
    var items = FIFO<Item>()
    /// So many of them are not wanted any more, and not counted.
    var gone = 0

    var count: Int { items.count - gone }
  }

  /// Few, as memory holds few jobs of a host; each holds an item at least.
  private var parts: [Part] = []
  /// Whose turn it is.
  private var current = 0
  /// The host is in the queue's rotation, or in its pauses.
  var isListed = false
  /// It is in the rotation, among the hosts of `listedFor`.
  private(set) var isReady = false
  var listedFor: BatchID?

  var isEmpty: Bool { parts.isEmpty }
  var count: Int { parts.reduce(0) { $0 + $1.count } }
  /// Batches that have an item here, wanted or not.
  var batches: Int { parts.count }
  /// The batch whose turn it is.
  var head: BatchID? { parts.isEmpty ? nil : parts[current].batch }

  var counts: [(batch: BatchID?, count: Int)] { parts.map { ($0.batch, $0.count) } }

  /// - Returns: Among whose hosts this one stands now.
  mutating func becameReady() -> BatchID? {
    isReady = true
    listedFor = head
    return head
  }

  mutating func paused() -> BatchID? {
    isReady = false
    return nil
  }

  /// - Returns: False when it stands elsewhere by now.
  mutating func takeOffList(of batch: BatchID?) -> Bool {
    guard isListed, isReady, listedFor == batch else { return false }
    (isListed, isReady) = (false, false)
    return true
  }

  func count(of batch: BatchID?) -> Int { parts.first { $0.batch == batch }?.count ?? 0 }

  /// A batch that comes, or comes again, has its turn after the others, so one that is refilled item by item does not
  /// have every turn.
  ///
  /// - Returns: Whether it is the first item of its batch.
  mutating func append(_ item: Item, of batch: BatchID?) -> Bool {
    if let index = parts.firstIndex(where: { $0.batch == batch }) {
      parts[index].items.append(item)
      return false
    }
    var part = Part(batch: batch)
    part.items.append(item)
    parts.insert(part, at: current)
    if parts.count > 1 { current += 1 }
    return true
  }

  /// - Returns: Whether there was one.
  mutating func discard(of batch: BatchID?) -> Bool {
    guard let index = parts.firstIndex(where: { $0.batch == batch && $0.count > 0 }) else { return false }
    parts[index].gone += 1
    return true
  }

  /// The next item that is wanted. What was not, and not known to be so, is counted by batch in `dropped`.
  mutating func next(
    where isWanted: (Item) -> Bool, _ dropped: inout [BatchID?: Int]
  ) -> (item: Item, batch: BatchID?)? {
    while !parts.isEmpty {
      let before = parts[current].count
      let batch = parts[current].batch
      var found: Item?
      while found == nil, let item = parts[current].items.popFirst() {
        if isWanted(item) { found = item } else { parts[current].gone = max(parts[current].gone - 1, 0) }
      }
      parts[current].gone = min(parts[current].gone, parts[current].items.count)
      let lost = before - parts[current].count - (found == nil ? 0 : 1)
      if lost != 0 { dropped[batch, default: 0] += lost }
      endTurn()
      if let found { return (found, batch) }
    }
    return nil
  }

  private mutating func endTurn() {
    if parts[current].items.isEmpty { parts.remove(at: current) } else { current += 1 }
    if current >= parts.count { current = 0 }
  }

  /// All items, batch by batch.
  mutating func takeAll() -> [Item] {
    defer { (parts, current) = ([], 0) }
    return parts.flatMap { $0.items.map { $0 } }
  }
}
