import Scheduling

/// What a test looks at to find what is never let go.
extension Aggregator {
  /// How much it keeps of jobs and of those who work on them, by name; all of it is 0 when nothing is open.
  package var leakCounts: [String: Int] {
    dispatcher.leakCounts.merging(registry.leakCounts) { $1 }.merging(runs.leakCounts) { $1 }
  }
}
