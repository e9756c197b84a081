internal import Pipeline
internal import Synchronization

/// One loop's view of the memory that large bodies share.
///
/// The start of every body is free, so that an ordinary page never waits for others.
final class BodyRoom {
  private let memory: LargeBodyMemory
  /// What the first waiting order needs; no other order of this loop may take it.
  var wanted = 0

  init(_ memory: LargeBodyMemory) {
    self.memory = memory
  }

  var free: Int { memory.free }

  /// What is set aside for an order whose body may become so large: something, and never more than there is in all.
  func share(of bytes: Int) -> Int { min(max(bytes - BodyMemory.freeBytes, 1), memory.total) }

  /// - Returns: False when there is no room for so many bytes more.
  func take(_ bytes: Int) -> Bool { memory.take(bytes, leaving: wanted) }

  func setAside(_ bytes: Int) { memory.add(bytes) }

  func giveBack(_ bytes: Int) { memory.add(-bytes) }
}

/// The memory of all large bodies, on whatever thread they are received: those that come in, and those that their callers
/// still hold.
package final class LargeBodyMemory: Sendable {
  let total: Int
  private let taken = Atomic(0)

  package init(total: Int) {
    self.total = total
  }

  var free: Int { total - taken.load(ordering: .relaxed) }

  func take(_ bytes: Int, leaving rest: Int) -> Bool {
    var before = taken.load(ordering: .relaxed)
    while bytes <= total - before - rest {
      let exchange = taken.weakCompareExchange(
        expected: before, desired: before + bytes, ordering: .relaxed)
      if exchange.exchanged { return true }
      before = exchange.original
    }
    return false
  }

  func add(_ bytes: Int) { taken.add(bytes, ordering: .relaxed) }
}

/// Bytes of bodies that were delivered and are still kept, as their owner tells.
final class KeptBytes: Sendable {
  private let memory: LargeBodyMemory
  private let bytes = Atomic(0)

  init(in memory: LargeBodyMemory) {
    self.memory = memory
  }

  func set(_ count: Int) { memory.add(count - bytes.exchange(count, ordering: .relaxed)) }
}
