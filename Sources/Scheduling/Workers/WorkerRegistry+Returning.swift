package import Pipeline

/// Workers that only seem to be gone.
extension WorkerRegistry {
  /// So many that counted as dead are remembered.
  private static let mostLost = 1_000
  private static let silenceIsNews: Int64 = 86_400_000

  /// The lane to it went down, or came up again. Until it does, it keeps what it has.
  package mutating func laneMayBeCut(_ isCut: Bool, of worker: WorkerID) {
    let cutUntil = watched + Heartbeat.lateReunionMilliseconds
    workers[worker]?.cutUntil = isCut ? cutUntil : nil
    if isCut { quietUntil = min(quietUntil, cutUntil) }
  }

  /// Workers that have been silent for longer than a live one is, and those whose lanes did not come up again in time.
  package mutating func findAbsent() -> (silent: [WorkerID], stayedAway: [WorkerID]) {
    guard watched >= quietUntil else { return ([], []) }
    // A new one may be silent for as long.
    quietUntil = watched + Heartbeat.workerLifeMilliseconds
    var absent = (silent: [WorkerID](), stayedAway: [WorkerID]())
    for (id, worker) in workers {
      let silentFrom = worker.heardAt + Heartbeat.workerLifeMilliseconds
      quietUntil = min(quietUntil, silentFrom, worker.cutUntil ?? .max)
      if silentFrom <= watched {
        absent.silent.append(id)
      } else if let cutUntil = worker.cutUntil, cutUntil <= watched {
        absent.stayedAway.append(id)
      }
    }
    return (absent.silent.sorted(), absent.stayedAway.sorted())
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
