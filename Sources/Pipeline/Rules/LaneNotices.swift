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

  public mutating func popFirst(atMost limit: Int) -> [LaneNotice] {
    let taken = Array(pending.prefix(max(0, limit)))
    pending.removeFirst(taken.count)
    return taken
  }
}
