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
