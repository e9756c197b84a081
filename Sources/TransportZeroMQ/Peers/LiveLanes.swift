/// The lanes of one kind that are there.
struct LiveLanes<Lane: AnyObject & Sendable>: Sendable {
  private struct Entry: Sendable {
    weak let lane: Lane?
  }

  private var entries: [Entry] = []
  /// Looked through for those that are gone when there are so many.
  private var sweepAt = 16

  mutating func add(_ lane: Lane) {
    entries.append(Entry(lane: lane))
    guard entries.count >= sweepAt else { return }
    entries.removeAll { $0.lane == nil }
    sweepAt = max(16, 2 * entries.count)
  }

  var all: [Lane] { entries.compactMap(\.lane) }
}
