import Pipeline

/// What peers count is theirs to claim. Beyond this it cannot be true, and below it sums do not overflow.
private let mostMessages: UInt64 = 1 << 62
/// The widest window that any receiver has: a grant further ahead of what was sent is an error.
private let widestWindow: UInt64 = 1 << 14

/// The sending half of a lane: how many credited messages the receiver still takes.
package struct LaneSender: Hashable, Sendable {
  package private(set) var sent: UInt64
  package private(set) var granted: UInt64
  private var reserved: UInt64 = 0

  /// Starts from what the receiver says it has seen and granted.
  package init(received: UInt64 = 0, granted: UInt64 = 0) {
    sent = min(received, mostMessages)
    self.granted = min(granted, sent + widestWindow, mostMessages)
  }

  package var available: UInt64 { granted > sent + reserved ? granted - sent - reserved : 0 }

  /// Grants are cumulative: an older one that arrives late changes nothing.
  ///
  /// - Parameter seen: What the receiver has seen: more than was counted here when messages of before this lane were on
  ///   their way to it.
  package mutating func received(grant: UInt64, of seen: UInt64 = 0) {
    sent = max(sent, min(seen, mostMessages))
    granted = max(granted, min(grant, sent + widestWindow, mostMessages))
  }

  /// Takes one credit and returns the message's place in the lane, or nil without credit.
  package mutating func take() -> UInt64? {
    guard available > 0 else { return nil }
    sent += 1
    return sent
  }

  /// Keeps one credit for a message that may be sent later; false without credit.
  mutating func reserve() -> Bool {
    guard available > 0 else { return false }
    reserved += 1
    return true
  }

  /// Sends a message that a credit was kept for.
  ///
  /// - Returns: Its place in the lane; nil when the lane has begun anew since.
  mutating func sendReserved() -> UInt64? {
    guard reserved > 0 else { return nil }
    reserved -= 1
    sent += 1
    return sent
  }

  /// Gives a kept credit back: its message was not sent after all.
  mutating func putBack() {
    if reserved > 0 { reserved -= 1 }
  }
}

/// The receiving half of a lane: keeps at most a window of messages unfinished.
package struct LaneReceiver: Hashable, Sendable {
  let window: UInt64
  package private(set) var received: UInt64 = 0
  package private(set) var finished: UInt64 = 0
  package private(set) var granted: UInt64

  /// - Parameter sent: What the sender had sent on this lane before this receiver kept count of it.
  package init(window: UInt64, after sent: UInt64 = 0) {
    self.window = window
    let sent = min(sent, mostMessages)
    (received, finished, granted) = (sent, sent, sent + window)
  }

  /// A lane keeps its order: what was left out before this message got lost, and takes no place any more. A place beyond
  /// what was granted is not the sender's to take, and counts for nothing.
  package mutating func accepted(sequence: UInt64) {
    guard sequence > received, sequence <= finished + window else { return }
    finished += sequence - received - 1
    received = sequence
  }

  /// The sender says how many it has sent; what has not arrived by now got lost.
  package mutating func wasSent(_ sent: UInt64) {
    guard sent > received, sent <= finished + window else { return }
    finished += sent - received
    received = sent
    granted = max(granted, finished + window)
  }

  /// A message that came twice is finished twice, and takes one place.
  package mutating func finishedOne() {
    if finished < received { finished += 1 }
  }

  /// Asked once for each burst of messages: after every one of them there may be nothing left to do for a moment.
  ///
  /// - Returns: A new cumulative grant when it is worth a message: a sixteenth of the window, or nothing left to do. What is
  ///   not granted is room that the sender does not use.
  package mutating func newGrant() -> UInt64? {
    let due = finished + window - granted
    guard due > 0, due >= max(window / 16, min(window / 4, 2)) || finished >= received else { return nil }
    granted = finished + window
    return granted
  }
}
