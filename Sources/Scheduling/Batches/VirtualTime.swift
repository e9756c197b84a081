/// Virtual time of weighted fair queueing: a start takes as much of it as the batch's weight is small, and who has used
/// the least goes next. It stands at the last start, so a batch that comes now neither claims the past nor waits for it.
enum VirtualTime {
  /// What a start of weight 1 takes. With every start of this weight it would last for centuries.
  private static let whole: UInt64 = 1 << 20

  static func stride(of weight: UInt32) -> UInt64 { whole / UInt64(max(1, weight)) }

  /// When something is next; of two with the same time the one that came first.
  struct Turn: Comparable, Sendable {
    var time: UInt64
    var order: UInt64

    static func < (left: Turn, right: Turn) -> Bool {
      left.time == right.time ? left.order < right.order : left.time < right.time
    }
  }
}
