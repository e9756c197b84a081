/// The sending half of a lane: how many credited messages the receiver still takes.
public struct LaneSender: Hashable, Sendable {
  public private(set) var sent: UInt64
  public private(set) var granted: UInt64

  /// Starts from what the receiver says it has seen and granted.
  public init(received: UInt64 = 0, granted: UInt64 = 0) {
    sent = received
    self.granted = granted
  }

  public var available: UInt64 { granted > sent ? granted - sent : 0 }

  /// Grants are cumulative: an older one that arrives late changes nothing.
  public mutating func received(grant: UInt64) {
    granted = max(granted, grant)
  }

  /// Takes one credit and returns the message's place in the lane, or nil without credit.
  public mutating func take() -> UInt64? {
    guard available > 0 else { return nil }
    sent += 1
    return sent
  }

  /// Puts the last credit back, when its message was not sent after all.
  public mutating func putBack() {
    if sent > 0 { sent -= 1 }
  }
}

/// The receiving half of a lane: keeps at most a window of messages unfinished.
public struct LaneReceiver: Hashable, Sendable {
  public let window: UInt64
  public private(set) var received: UInt64 = 0
  public private(set) var finished: UInt64 = 0
  public private(set) var granted: UInt64

  public init(window: UInt64) {
    self.window = window
    granted = window
  }

  public mutating func accepted(sequence: UInt64) {
    received = max(received, sequence)
  }

  /// - Returns: A new cumulative grant when it is worth a message: a quarter of the window, or nothing left to do.
  public mutating func finishedOne() -> UInt64? {
    finished += 1
    let due = finished + window - granted
    guard due >= max(1, window / 4) || finished >= received else { return nil }
    granted = finished + window
    return granted
  }
}
