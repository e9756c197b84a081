import Pipeline
import PipelineTesting
import Testing

struct FIFOTests {
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a FIFO behaves as an array that is taken from the front`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var queue = FIFO<Int>()
    var model: [Int] = []
    for round in 0..<3_000 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1, 2:
        queue.append(round)
        model.append(round)
      case 3:
        let taken = queue.popFirst()
        try #require(taken == (model.isEmpty ? nil : model.removeFirst()))
      default:
        let limit = Int.random(in: 0..<6, using: &random)
        let taken = queue.popFirst(atMost: limit)
        try #require(taken == Array(model.prefix(limit)))
        model.removeFirst(min(limit, model.count))
      }
      try #require(queue.count == model.count)
      try #require(queue.isEmpty == model.isEmpty)
      try #require(queue.first == model.first)
    }
  }

  @Test func `a FIFO lets go of what was taken`() {
    final class Thing {}
    var queue = FIFO<Thing>()
    weak var taken: Thing?
    do {
      let thing = Thing()
      taken = thing
      queue.append(thing)
      queue.append(Thing())
    }
    #expect(taken != nil)
    _ = queue.popFirst()
    #expect(taken == nil)
  }
}

struct MinHeapTests {
  @Test(arguments: 0..<10 as Range<UInt64>)
  func `a heap gives the least key first`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var heap = MinHeap<Int, Int>()
    var model: [Int: [Int]] = [:]
    var count = 0
    for round in 0..<3_000 {
      if Int.random(in: 0..<5, using: &random) < 3 {
        let key = Int.random(in: 0..<50, using: &random)
        heap.insert(round, at: key)
        model[key, default: []].append(round)
        count += 1
      } else {
        try #require(heap.first?.key == model.keys.min())
        guard let popped = heap.popFirst() else { continue }
        try #require(popped.key == model.keys.min())
        let index = try #require(model[popped.key]?.firstIndex(of: popped.value))
        model[popped.key]?.remove(at: index)
        if model[popped.key]?.isEmpty == true { model[popped.key] = nil }
        count -= 1
      }
      try #require(heap.count == count)
    }
  }

  @Test(arguments: ["ascending", "descending", "shuffled"])
  func `a large heap compares a logarithm of its size per key`(order: String) {
    let count = 8_192
    var random = SeededGenerator(seed: 1)
    var keys = Array(0..<count)
    if order == "descending" { keys.reverse() }
    if order == "shuffled" { keys.shuffle(using: &random) }
    let comparisons = Counter()
    var heap = MinHeap<CountedKey, Int>()
    for key in keys { heap.insert(key, at: CountedKey(key, comparisons)) }
    var sorted: [Int] = []
    while let popped = heap.popFirst() { sorted.append(popped.value) }
    #expect(sorted == Array(0..<count))
    #expect(comparisons.value < 3 * count * 13)
  }
}

private final class Counter: @unchecked Sendable {
  var value = 0
}

private struct CountedKey: Comparable {
  let key: Int
  let comparisons: Counter

  init(_ key: Int, _ comparisons: Counter) {
    self.key = key
    self.comparisons = comparisons
  }

  static func == (left: CountedKey, right: CountedKey) -> Bool { left.key == right.key }

  static func < (left: CountedKey, right: CountedKey) -> Bool {
    left.comparisons.value += 1
    return left.key < right.key
  }
}
