package import Pipeline

/// Workers that only seem to be gone.
extension WorkerRegistry {
  /// So many that counted as dead are remembered.
  private static let mostLost = 1_000

  /// The lane to it went down, or came up again. Until it does, it keeps what it has.
  package mutating func laneMayBeCut(_ isCut: Bool, of worker: WorkerID) {
    workers[worker]?.cutUntil = isCut ? watched + Heartbeat.lateReunionMilliseconds : nil
  }

  /// Workers whose lanes did not come up again in time.
  package var stayedAway: [WorkerID] {
    workers.filter { $0.value.cutUntil.map { $0 <= watched } ?? false }.keys.sorted()
  }

  mutating func noteLost(_ worker: WorkerID) {
    if lost.count >= Self.mostLost { lost = [] }
    lost.insert(worker)
  }

  /// - Returns: Whether it had counted as dead; asks for it once.
  package mutating func cameBack(_ worker: WorkerID) -> Bool { lost.remove(worker) != nil }
}
