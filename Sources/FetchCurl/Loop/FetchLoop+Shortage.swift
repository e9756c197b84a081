internal import Curl
internal import Pipeline
internal import Posix

/// How many transfers there may be at a time while the system has no descriptors, buffers or ports for more.
struct Shortage {
  /// How long fewer are made before all are tried again.
  private static let microseconds: Int64 = 5_000_000

  private let most: Int
  private(set) var mostTransfers: Int
  private var until: Int64 = .max

  init(most: Int) { (self.most, mostTransfers) = (most, most) }

  mutating func began(with transfers: Int, at now: Int64) {
    mostTransfers = max(1, min(transfers, mostTransfers))
    until = now + Self.microseconds
  }

  /// Whether it is over since the last time.
  mutating func isOver(at now: Int64) -> Bool {
    guard now >= until else { return false }
    (mostTransfers, until) = (most, .max)
    return true
  }
}

extension FetchLoop {
  /// It waits for one of the others to end. Where there is none, waiting here would not help.
  func putOff(_ order: FetchOrder, because failure: Failure) {
    guard activeTransfers > 0 else {
      answers.append((order, .failure(failure)))
      return
    }
    shortage.began(with: activeTransfers, at: SystemTime.monotonicMicroseconds)
    // Idle connections have descriptors too: libcurl closes them to keep to this.
    try? multi.limitConnections(to: shortage.mostTransfers)
    waiting.append(order)
  }

  func endShortage(at now: Int64) {
    if shortage.isOver(at: now) { try? multi.limitConnections(to: settings.mostConnections) }
  }
}
