/// Notices that wait for their receiver, at most two for each lane: the last, and before it that the lane was down.
public struct LaneNotices: Sendable {
  private var pending: [LaneNotice] = []

  public init() {}

  public var isEmpty: Bool { pending.isEmpty }

  /// What was said of the lane before is out of date, except that it was down: its peer may have started anew.
  public mutating func add(_ notice: LaneNotice) {
    pending.removeAll { $0.address == notice.address && ($0.isUp || !notice.isUp) }
    pending.append(notice)
  }

  /// What a burst begins with, and what it ends with: all that a peer said before its lane went down is heard before
  /// that.
  public mutating func popFirst(atMost limit: Int) -> (before: [Delivery], after: [Delivery]) {
    let taken = pending.prefix(max(0, limit))
    pending.removeFirst(taken.count)
    let ups = taken.prefix { $0.isUp }
    return (ups.map(Delivery.lane), taken.dropFirst(ups.count).map(Delivery.lane))
  }
}
