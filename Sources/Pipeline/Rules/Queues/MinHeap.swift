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
