import Pipeline

/// Which rows of a batch have come, which are wanted next, and when there are no more. A pure value.
struct RowReading {
  /// Rows that may be under way.
  static let window: UInt64 = 8_192
  /// Questions in a row without an answer, each a second, after which none is expected.
  static let mostFruitless = 10

  private let follows: Bool
  private(set) var arrived: UInt64 = 0
  private(set) var count: UInt64 = 0
  private(set) var isOver = false
  private var there: UInt64
  private var askedAfter: UInt64?
  private var bytesSinceAsked = 0
  private var fruitless = 0
  private var order: RowOrder

  /// - Parameters:
  ///   - there: The number of the last row when the reading began.
  ///   - after: Rows up to this number are not wanted.
  init(isOrdered: Bool, follows: Bool, there: UInt64, after: UInt64 = 0) {
    self.follows = follows
    self.there = there
    arrived = after
    order = RowOrder(isOrdered: isOrdered)
    if !follows, there <= after { isOver = true }
  }

  /// Nothing is to come that was there at the beginning, or that a reader waits for.
  var hasAll: Bool { follows ? isOver : arrived >= there }

  /// Half of what comes unasked has come; a question now keeps rows coming.
  var wantsMore: Bool {
    arrived >= (askedAfter ?? 0).saturating(plus: Self.window / 2)
      || bytesSinceAsked >= Followers.mostBytesUnderWay / 2
  }

  mutating func asks(for batch: BatchID) -> Query.Question {
    askedAfter = arrived
    bytesSinceAsked = 0
    let limit = arrived.saturating(plus: Self.window)
    return .copies(of: batch, after: arrived, limit: follows ? limit : min(limit, there))
  }

  /// - Parameter number: The row before the first of them; when that has not come, a lane lost rows, and all from there
  ///   on are asked for again.
  /// - Returns: The rows that may go out now.
  mutating func took(_ rows: [NumberedRow], after number: UInt64) -> [NumberedRow] {
    guard number <= arrived else { return [] }
    fruitless = 0
    // No more are there: a job that is tried once more takes its row with it.
    if !follows, rows.isEmpty { isOver = true }
    let fresh = rows.filter { $0.number > arrived && (follows || $0.number <= there) }
    guard let last = fresh.last else { return [] }
    arrived = last.number
    count += UInt64(fresh.count)
    bytesSinceAsked += fresh.reduce(0) { $0 + $1.json.count }
    if !follows, arrived >= there { isOver = true }
    return order.arrived(fresh, submitted: .max)
  }

  /// The batch is complete, and has no row beyond this number.
  mutating func isComplete(at rows: UInt64) {
    if arrived >= rows { isOver = true }
  }

  /// A second went by without any row.
  ///
  /// - Returns: Whether rows that are there do not come.
  mutating func heardNoRow() -> Bool {
    fruitless += 1
    return !follows && fruitless >= Self.mostFruitless
  }

  /// What was still held back for rows that do not exist.
  mutating func rest() -> [NumberedRow] { order.rest() }
}

extension UnsignedInteger where Self: FixedWidthInteger {
  /// Numbers come from others, who may claim anything.
  func saturating(plus other: Self) -> Self {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
