/// A queue that takes from the front, and gives back there, without moving what is behind.
struct Ring<Element> {
  /// As many as a power of two, so that places are found with a mask.
  private var places: [Element?] = []
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ element: Element) {
    if count == places.count { grow() }
    places[(head + count) & (places.count - 1)] = element
    count += 1
  }

  /// Puts an element before all others.
  mutating func prepend(_ element: Element) {
    if count == places.count { grow() }
    head = (head - 1) & (places.count - 1)
    places[head] = element
    count += 1
  }

  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = places[head].take()
    head = (head + 1) & (places.count - 1)
    count -= 1
    return element
  }

  private mutating func grow() {
    var larger: [Element?] = []
    larger.reserveCapacity(max(4, places.count * 2))
    for offset in 0..<count { larger.append(places[(head + offset) & (places.count - 1)]) }
    while larger.count < max(4, places.count * 2) { larger.append(nil) }
    places = larger
    head = 0
  }
}

extension Ring: Sendable where Element: Sendable {}
