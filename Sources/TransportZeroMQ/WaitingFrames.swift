import Pipeline

/// Frames that came in and wait for their role: so many bytes at most, whoever sends them. A value.
///
/// Roles give credit, so it fills up only when somebody sends what nobody asked for. Then large frames are dropped, and
/// small ones have a part of the room to themselves, so that a fleet goes on under a flood of large ones.
struct WaitingFrames {
  /// What a frame takes beside its bytes.
  private static let overhead = 64

  let room: Int
  private var frames = FIFO<[UInt8]>()
  private(set) var bytes = 0
  /// In all, since the start.
  private(set) var dropped = 0

  init(room: Int) {
    self.room = room
  }

  var isEmpty: Bool { frames.isEmpty }

  /// - Returns: False when there was no room.
  mutating func add(_ frame: [UInt8]) -> Bool {
    let taken = bytes + frame.count + Self.overhead
    guard taken <= (frame.count > Self.small(of: room) ? room - room / 4 : room) else {
      dropped += 1
      return false
    }
    bytes = taken
    frames.append(frame)
    return true
  }

  mutating func popFirst() -> [UInt8]? {
    guard let frame = frames.popFirst() else { return nil }
    bytes -= frame.count + Self.overhead
    return frame
  }

  /// A quarter of the room holds a thousand of them.
  private static func small(of room: Int) -> Int { room / 4_096 }
}
