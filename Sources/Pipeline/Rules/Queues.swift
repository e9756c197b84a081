/// A queue that takes from the front without moving what is behind.
public struct FIFO<Element> {
  @usableFromInline var items: [Element?] = []
  @usableFromInline var head = 0

  @inlinable public init() {}

  @inlinable public var count: Int { items.count - head }
  @inlinable public var isEmpty: Bool { head == items.count }
  @inlinable public var first: Element? { isEmpty ? nil : items[head] }

  @inlinable public mutating func append(_ element: Element) {
    items.append(element)
  }

  @inlinable public mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    var element: Element?
    swap(&element, &items[head])
    head += 1
    if head > 32, head * 2 > items.count {
      items.removeFirst(head)
      head = 0
    }
    return element
  }

  @inlinable public func map<Result>(_ transform: (Element) -> Result) -> [Result] {
    items[head...].compactMap { $0.map(transform) }
  }

  @inlinable public mutating func removeAll(where isUnwanted: (Element) -> Bool) {
    items.removeFirst(head)
    head = 0
    items.removeAll { $0.map(isUnwanted) ?? true }
  }

  /// Takes up to `limit` elements from the front, in order.
  @inlinable public mutating func popFirst(atMost limit: Int) -> [Element] {
    var taken: [Element] = []
    taken.reserveCapacity(min(limit, count))
    while taken.count < limit, let element = popFirst() { taken.append(element) }
    return taken
  }
}

extension FIFO: Sendable where Element: Sendable {}

/// Values by key, the least key first.
public struct MinHeap<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline var entries: [(key: Key, value: Value)] = []

  @inlinable public init() {}

  @inlinable public var first: (key: Key, value: Value)? { entries.first }
  @inlinable public var count: Int { entries.count }

  @inlinable public mutating func insert(_ value: Value, at key: Key) {
    entries.append((key, value))
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[child].key < entries[parent].key else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  /// Keeps only what is wanted.
  @inlinable public mutating func removeAll(where isUnwanted: (Value) -> Bool) {
    let kept = entries.filter { !isUnwanted($0.value) }
    entries.removeAll(keepingCapacity: true)
    for entry in kept { insert(entry.value, at: entry.key) }
  }

  @inlinable public mutating func popFirst() -> (key: Key, value: Value)? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    guard !entries.isEmpty else { return first }
    entries[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if entries[child].key < entries[least].key { least = child }
      }
      guard least != parent else { return first }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}

/// Notices that wait for their receiver, at most two for each lane: the last, and before it that the lane was down.
public struct LaneNotices: Sendable {
  private var pending: [LaneNotice] = []

  public init() {}

  public var isEmpty: Bool { pending.isEmpty }

  /// What was said of the lane before is out of date, except that it was down: its peer may have started anew.
  public mutating func add(_ notice: LaneNotice) {
    pending.removeAll { $0.address == notice.address && ($0.isUp || !notice.isUp) }
    pending.append(notice)
  }

  /// What a burst begins with, and what it ends with: all that a peer said before its lane went down is heard before
  /// that.
  public mutating func popFirst(atMost limit: Int) -> (before: [Delivery], after: [Delivery]) {
    let taken = pending.prefix(max(0, limit))
    pending.removeFirst(taken.count)
    let ups = taken.prefix { $0.isUp }
    return (ups.map(Delivery.lane), taken.dropFirst(ups.count).map(Delivery.lane))
  }
}
