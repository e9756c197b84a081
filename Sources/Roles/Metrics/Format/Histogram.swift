/// How many of some times are no longer than each bound. Bounds are fixed, so that scrapes and processes can be added up.
package struct Histogram: Hashable, Sendable {
  /// Upper bounds in seconds, ascending.
  package let bounds: [Double]
  /// How many values are in each bucket, and beyond the last bound.
  package private(set) var counts: [UInt64]
  /// Of all values. Whole microseconds, so that it does not depend on the order of the values.
  private var microseconds: UInt64 = 0

  package init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// For a turn of a loop or a commit.
  package static let short = Histogram(bounds: [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5,
  ])
  /// For a request or a page.
  package static let medium = Histogram(bounds: [
    0.000_1, 0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
  ])
  /// For what waits for its turn.
  package static let long = Histogram(bounds: [
    0.001, 0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400,
  ])

  /// In seconds.
  package var sum: Double { Double(microseconds) / 1_000_000 }
  package var count: UInt64 { counts.reduce(0, &+) }

  package mutating func observe(microseconds: Int64) {
    let microseconds = max(0, microseconds)
    let seconds = Double(microseconds) / 1_000_000
    counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] &+= 1
    self.microseconds &+= UInt64(microseconds)
  }

  package mutating func observe(milliseconds: Int64) {
    observe(microseconds: milliseconds.multipliedReportingOverflow(by: 1_000).partialValue)
  }
}
