/// What is made of how long a loop has not turned. A pure value.
struct TurnRule: Hashable, Sendable {
  enum Order: Hashable, Sendable {
    case sayAlive
    case tellStandstill(seconds: Int64)
    case endProcess
  }

  /// As long as an aggregator waits for a worker: its jobs have gone to others by then.
  static let timeoutMilliseconds: Int64 = 10_000
  /// A loop turns every two seconds when there is nothing to do; one that takes longer than this is not said to be alive.
  static let longestTurnMilliseconds: Int64 = 5_000

  /// How often to say that the loop turns; nil for never.
  private let aliveEvery: Int64?
  private let endsProcess: Bool
  private var still: Int64 = 0
  private var unsaid: Int64 = 0
  private var hasTurned = false
  private var isTold = false

  /// - Parameters:
  ///   - watchdogMilliseconds: How long the service manager waits for a sign of life; it gets two in that time.
  ///   - endsProcess: A loop that stands still is ended, so that another process takes its place.
  init(watchdogMilliseconds: Int64?, endsProcess: Bool) {
    aliveEvery = watchdogMilliseconds.map { $0 / 2 }
    self.endsProcess = endsProcess
  }

  /// - Returns: Whether it was the first time.
  mutating func turned() -> Bool {
    defer { hasTurned = true }
    (still, isTold) = (0, false)
    return !hasTurned
  }

  mutating func passed(milliseconds: Int64) -> [Order] {
    still += milliseconds
    unsaid += milliseconds
    var orders: [Order] = []
    if let aliveEvery, hasTurned, unsaid >= aliveEvery, still <= Self.longestTurnMilliseconds {
      unsaid = 0
      orders.append(.sayAlive)
    }
    // A loop that has not begun may be reading a large ledger.
    guard endsProcess || hasTurned, still >= Self.timeoutMilliseconds else { return orders }
    if !isTold {
      isTold = true
      orders.append(.tellStandstill(seconds: still / 1_000))
    } else if endsProcess {
      orders.append(.endProcess)
    }
    return orders
  }
}
