package import Pipeline

/// How often a step of the ledger's care is taken. While jobs are under way, steps take 3 % of the time, and jobs the rest: what
/// they write costs the jobs as much again. Otherwise one follows another at once.
package enum CarePace {
  /// The time between two steps, in times of the first.
  private static let rest: Int64 = 31
  private static let longest: Int64 = 2_000
  /// When the disk has to be waited for.
  private static let waiting: Int64 = 20

  /// When the next step is due.
  ///
  /// - Parameters:
  ///   - microseconds: What the step before took.
  ///   - isQuiet: No job is under way.
  ///   - isWaiting: It did nothing, because the disk is not ready.
  package static func next(
    after microseconds: Int64, at now: Moment, isQuiet: Bool, isWaiting: Bool = false
  ) -> Moment {
    if isWaiting { return now.advanced(byMilliseconds: waiting) }
    guard !isQuiet else { return now }
    let milliseconds = (max(0, min(microseconds, longest * 1_000)) * rest + 999) / 1_000
    return now.advanced(byMilliseconds: max(1, min(milliseconds, longest)))
  }
}
