internal import Pipeline
internal import Synchronization

/// The memory that large bodies share: those being received, and those that their callers still hold.
///
/// The start of every body is free, so that an ordinary page never waits for others.
final class BodyRoom {
  private let total: Int
  private let kept: KeptBytes
  private var taken = 0
  /// What the first waiting order needs; no other order may take it.
  var wanted = 0

  init(total: Int, kept: KeptBytes) {
    (self.total, self.kept) = (total, kept)
  }

  var free: Int { total - taken - kept.count }

  /// What is set aside for an order whose body may become so large: something, and never more than there is in all.
  func share(of bytes: Int) -> Int { min(max(bytes - BodyMemory.freeBytes, 1), total) }

  /// - Returns: False when there is no room for so many bytes more.
  func take(_ bytes: Int) -> Bool {
    guard bytes <= free - wanted else { return false }
    taken += bytes
    return true
  }

  func setAside(_ bytes: Int) { taken += bytes }

  func giveBack(_ bytes: Int) { taken -= bytes }
}

/// Bytes of bodies that were delivered and are still kept, as their owner tells.
final class KeptBytes: Sendable {
  private let bytes = Atomic(0)

  var count: Int { bytes.load(ordering: .relaxed) }

  func set(_ count: Int) { bytes.store(count, ordering: .relaxed) }
}
