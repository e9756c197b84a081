import Pipeline
import Scheduling

/// What is done bit by bit beside the jobs themselves. A pure value.
struct Chores: Sendable {
  /// Orders about many jobs.
  var sweeps: [JobSweep] = []
  var care = LedgerCare()
  /// When to forget old batches.
  var nextUpkeep: Moment?
  /// When to look for batches whose producers are gone.
  var nextSearchForAbandoned: Moment?

  var nextWake: Moment? {
    guard sweeps.isEmpty else { return Moment(unixMilliseconds: .min) }
    return [nextUpkeep, nextSearchForAbandoned, care.next].compactMap(\.self).min()
  }
}
