import Pipeline

/// Jobs for which there are answers that may be renewed.
extension Dispatcher {
  mutating func knows(_ known: Validators, of id: JobID) {
    jobs[id]?.known = known
  }

  /// The answer is gone: the job asks as if there had been none.
  mutating func forgetsKnown(of id: JobID) {
    jobs[id]?.known = nil
  }
}
