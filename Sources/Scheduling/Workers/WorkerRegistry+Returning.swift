package import Pipeline

/// Workers that only seem to be gone.
extension WorkerRegistry {
  /// So many that counted as dead are remembered.
  private static let mostLost = 1_000
  private static let silenceIsNews: Int64 = 86_400_000

  /// The lane to it went down, or came up again. Until it does, it keeps what it has.
  package mutating func laneMayBeCut(_ isCut: Bool, of worker: WorkerID) {
    workers[worker]?.cutUntil = isCut ? watched + Heartbeat.lateReunionMilliseconds : nil
  }

  /// Workers whose lanes did not come up again in time.
  package var stayedAway: [WorkerID] {
    workers.filter { $0.value.cutUntil.map { $0 <= watched } ?? false }.keys.sorted()
  }

  mutating func noteLost(_ id: WorkerID, _ worker: Worker) {
    if lost.count >= Self.mostLost { lost = [:] }
    let isSilent = watched - worker.heardAt >= Heartbeat.workerLifeMilliseconds
    lost[id] = (worker, fellSilent: isSilent && worker.address != nil, isTold: isSilent)
  }

  /// The log says that it counts as dead, and is to say so when it is back.
  package mutating func noteTold(_ worker: WorkerID) { lost[worker]?.isTold = true }

  /// Those that fell silent within a day and did not come back, the last one first. They were not seen to end: their
  /// processes may be stopped, or their machines out of reach.
  package var silenced: [(id: WorkerID, worker: Worker)] {
    lost.filter { $0.value.fellSilent && watched - $0.value.worker.heardAt < Self.silenceIsNews }
      .map { ($0.key, $0.value.worker) }
      .sorted { ($1.worker.heardAt, $0.id) < ($0.worker.heardAt, $1.id) }
  }

  /// - Returns: Whether the log says that it counts as dead; asks for it once.
  package mutating func cameBack(_ worker: WorkerID) -> Bool {
    lost.removeValue(forKey: worker)?.isTold ?? false
  }
}
