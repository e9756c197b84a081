import Pipeline

/// Frames that came in and wait for their role: so many bytes at most, from all senders together. A value.
///
/// Roles give credit, so it fills up only when a peer sends without credit. Then large frames are dropped, and
/// small ones have a part of the room to themselves, so that a fleet goes on under a flood of large ones.
struct WaitingFrames<Frame> {
  /// What a frame takes beside its bytes.
  private static var overhead: Int { 64 }

  let room: Int
  private var frames = FIFO<(frame: Frame, bytes: Int)>()
  private(set) var bytes = 0
  /// In all, since the start.
  var dropped = 0

  init(room: Int) {
    self.room = room
  }

  var isEmpty: Bool { frames.isEmpty }

  /// The size of the largest frame that there is room for; negative when there is none.
  var largest: Int {
    let free = room - bytes - Self.overhead
    return max(free - room / 4, min(free, room / 4_096))
  }

  mutating func add(_ frame: Frame, bytes size: Int) {
    bytes += size + Self.overhead
    frames.append((frame, size))
  }

  mutating func popFirst() -> Frame? {
    guard let first = frames.popFirst() else { return nil }
    bytes -= first.bytes + Self.overhead
    return first.frame
  }
}
