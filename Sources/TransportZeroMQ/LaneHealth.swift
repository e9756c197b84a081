import Pipeline

/// Tells a receiver that breaks off whatever comes, as one does that has another key than expected, from one that starts,
/// ends or is stopped.
struct BreakOffs: Sendable {
  private var inARow = 0
  private var last: Moment?

  /// It broke off before the lane was up.
  ///
  /// - Returns: Whether to try later instead of at once.
  mutating func paused(at now: Moment) -> Bool {
    let isSoon = last.map { now.milliseconds(since: $0) < LaneConstants.soon } ?? false
    (inARow, last) = (isSoon ? inARow + 1 : 1, now)
    guard inARow >= LaneConstants.mostBreakOffs else { return false }
    inARow = 0
    return true
  }
}

/// Tells a lane that is mute from one whose receiver is merely busy or away.
///
/// libzmq can leave a socket mute for good while its siblings work. What shows it: the receiver is heard, and yet
/// takes nothing from us for seconds.
struct LaneHealth: Sendable {
  private var blockedSince: Moment?
  /// Why the receiver does not let this process in; nil when it does, or was not there.
  var refusal: String?

  /// There was no room for a message.
  mutating func blocked(at now: Moment) {
    if blockedSince == nil { blockedSince = now }
  }

  /// A message went, or there is none to send, or the lane is new.
  mutating func cleared() {
    blockedSince = nil
  }

  /// The receiver was heard.
  ///
  /// - Returns: Whether the lane is to be made anew; asks for it once.
  mutating func receiverSpoke(at now: Moment) -> Bool {
    guard let since = blockedSince, now.milliseconds(since: since) >= LaneConstants.longestSilence else {
      return false
    }
    blockedSince = nil
    return true
  }
}
