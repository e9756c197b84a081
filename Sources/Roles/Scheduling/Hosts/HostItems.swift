import Pipeline

/// What waits for one host in one section, by batch; the items of each batch keep their order.
///
/// The batch whose turn it is among all hosts starts something here. Where the host is what is scarce, another one goes
/// before it that has waited here for longer than its weight demands: so a batch that has many hosts takes turns with one
/// that has this host only.
struct HostItems<Item: Sendable>: Sendable {
  private struct Part: Sendable {
    let batch: BatchID?
    /// As `BatchTurns` knows it, as long as something of it waits or is listed.
    var number: Int
    var items = FIFO<Item>()
    /// So many of them are not wanted any more, and not counted.
    var gone = 0
    /// The virtual time of its next start at this host.
    var time: UInt64
    /// The host stands among those of the batch.
    var isListed = false

    var count: Int { items.count - gone }

    /// When it is its turn. What a batch did not take because its turn came elsewhere, or its limits kept it from that,
    /// counts for one start at most.
    func turn(_ stride: UInt64, at now: UInt64) -> UInt64 { max(time, now - min(now, stride)) }
  }

  /// Few, as memory holds few jobs of a host.
  private var parts: [Part] = []
  private var now: UInt64 = 0
  /// The host stands among those that pause.
  var isParked = false

  var isEmpty: Bool { parts.allSatisfy { $0.items.isEmpty } }
  /// Nothing waits, and no turn or pause is to come.
  var isIdle: Bool { !isParked && parts.allSatisfy { $0.items.isEmpty && !$0.isListed } }
  var count: Int { parts.reduce(0) { $0 + $1.count } }

  /// Of the batches that have an item here, wanted or not.
  var counts: [(number: Int, count: Int)] { parts.filter { !$0.items.isEmpty }.map { ($0.number, $0.count) } }

  func count(of batch: BatchID?) -> Int { parts.first { $0.batch == batch }?.count ?? 0 }

  mutating func append(_ item: Item, of batch: BatchID?, _ number: Int) {
    if let index = parts.firstIndex(where: { $0.batch == batch }) {
      if parts[index].items.isEmpty { parts[index].time = max(parts[index].time, now) }
      parts[index].number = number
      parts[index].items.append(item)
    } else {
      tidy()
      var part = Part(batch: batch, number: number, time: now)
      part.items.append(item)
      parts.append(part)
    }
  }

  /// Those that have used more than their part stay until the others have caught up, so that one that is refilled item
  /// by item does not have every turn.
  private mutating func tidy() {
    parts.removeAll { $0.items.isEmpty && !$0.isListed && $0.time <= now }
  }

  /// The next batch among whose hosts this one is to be listed, and whether there may be others.
  ///
  /// A batch of which nothing is wanted any more has no turn, and its number may be another's by now.
  mutating func nextUnlisted() -> (number: Int, mayBeMore: Bool)? {
    for index in parts.indices where !parts[index].isListed && parts[index].count == 0 {
      (parts[index].items, parts[index].gone) = (FIFO(), 0)
    }
    guard let index = parts.firstIndex(where: { !$0.isListed && !$0.items.isEmpty }) else { return nil }
    parts[index].isListed = true
    return (parts[index].number, index + 1 < parts.count)
  }

  /// - Returns: Whether several batches want this host; nil when it does not stand there any more.
  mutating func takeOffList(of number: Int) -> Bool? {
    guard let index = parts.firstIndex(where: { $0.isListed && $0.number == number }) else { return nil }
    parts[index].isListed = false
    return parts.count > 1
  }

  /// - Returns: The number of its batch; nil when there was none.
  mutating func discard(of batch: BatchID?) -> Int? {
    guard let index = parts.firstIndex(where: { $0.batch == batch && $0.count > 0 }) else { return nil }
    parts[index].gone += 1
    return parts[index].number
  }

  /// Which batch starts something on the turn of one of them: that one, or the one that would have had its whole turn
  /// before.
  func choice(onTurnOf number: Int, _ turns: BatchTurns) -> Int {
    guard let own = parts.first(where: { $0.number == number && !$0.items.isEmpty }) else { return number }
    var (chosen, time) = (own.number, own.turn(turns.stride(of: own.number), at: now))
    let latest = time
    for part in parts where !part.items.isEmpty && !turns.isHeld(part.number) {
      let stride = turns.stride(of: part.number)
      let turn = part.turn(stride, at: now)
      if turn < time, turn + stride <= latest { (chosen, time) = (part.number, turn) }
    }
    return chosen
  }

  /// The next item of a batch that is wanted. What was not, and not known to be so, is counted in `lost`.
  ///
  /// - Parameter stride: What a start takes of the batch's virtual time.
  mutating func next(of number: Int, stride: UInt64, where isWanted: (Item) -> Bool, _ lost: inout Int)
    -> Item?
  {
    guard let index = parts.firstIndex(where: { $0.number == number && !$0.items.isEmpty }) else {
      return nil
    }
    let before = parts[index].count
    var found: Item?
    while found == nil, let item = parts[index].items.popFirst() {
      if isWanted(item) { found = item } else { parts[index].gone = max(parts[index].gone - 1, 0) }
    }
    parts[index].gone = min(parts[index].gone, parts[index].items.count)
    lost = before - parts[index].count - (found == nil ? 0 : 1)
    guard found != nil else { return nil }
    let turn = parts[index].turn(stride, at: now)
    now = max(now, turn)
    parts[index].time = turn + stride
    if parts.count > 1 { tidy() }
    return found
  }

  /// All items, batch by batch.
  mutating func takeAll() -> [Item] {
    defer { for index in parts.indices { (parts[index].items, parts[index].gone) = (FIFO(), 0) } }
    return parts.flatMap { $0.items.map { $0 } }
  }

  /// All items of one batch, and how many of them were counted; it is not listed any more.
  mutating func takeAll(of batch: BatchID) -> (items: [Item], count: Int) {
    guard let index = parts.firstIndex(where: { $0.batch == batch }) else { return ([], 0) }
    let part = parts.remove(at: index)
    return (part.items.map { $0 }, part.count)
  }
}
