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

  /// What is known of one that counts as dead.
  package struct Lost: Sendable {
    package var role: Role
    package var address: Address?
    package var program: WorkerProgram?
    var heardAt: Int64
    /// It spoke, and was not seen to end: its process may be stopped, or its machine out of reach.
    var fellSilent: Bool
  }

  mutating func noteLost(_ id: WorkerID, _ worker: Worker) {
    if lost.count >= Self.mostLost { lost = [:] }
    lost[id] = Lost(
      role: worker.role, address: worker.address, program: worker.program, heardAt: worker.heardAt,
      fellSilent: worker.address != nil && watched - worker.heardAt >= Heartbeat.workerLifeMilliseconds)
  }

  /// Those that fell silent within a day and did not come back, the last one first.
  package var silenced: [(id: WorkerID, known: Lost, heardMillisecondsAgo: Int64)] {
    lost.filter { $0.value.fellSilent && watched - $0.value.heardAt < Self.silenceIsNews }.sorted {
      ($1.value.heardAt, $0.key) < ($0.value.heardAt, $1.key)
    }
    .map { ($0.key, $0.value, watched - $0.value.heardAt) }
  }

  /// - Returns: Whether it had counted as dead; asks for it once.
  package mutating func cameBack(_ worker: WorkerID) -> Bool { lost.removeValue(forKey: worker) != nil }
}
