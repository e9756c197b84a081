package import Pipeline

/// Who works, and who has been silent for too long. A pure value.
package struct WorkerRegistry: Sendable {
  package struct Worker: Sendable {
    /// What it said last, without its leases; nil until it has spoken to this aggregator: an earlier one gave it leases.
    var hello: Hello?
    /// Of those leases.
    var executing: Set<LeaseToken> = []
    /// What it proves itself with; none until then.
    var secret = LaneSecret.none
    /// When it spoke last, in milliseconds of `watched`.
    package var heardAt: Int64
    /// Until when the lane to it has to be up again that a reload may have cut, in milliseconds of `watched`; and whether
    /// that was ours.
    package var cut: (until: Int64, isOwn: Bool)?
    /// It takes nothing new, and ends when it has nothing left.
    package var isLeaving = false
    /// It is to drain, and is told so again until it says that it does.
    package var isToDrain = false
    /// Why it gets nothing to do; nil when it belongs to its fleet.
    package var difference: String?

    /// Whom an earlier aggregator gave leases is a fetcher.
    var role: Role { hello?.role ?? .fetcher }
    var locality: String { hello?.locality ?? "" }
    var address: Address? { hello?.address }

    var verdict: MemberVerdict {
      if difference != nil { return .refused }
      return isLeaving || isToDrain ? .draining : .compatible
    }

    /// A document that waits for a decoder harms no fetcher. What came since it spoke last can be executing by now.
    func canHaveDied(of token: LeaseToken, at sequence: UInt64) -> Bool {
      guard !isLeaving, let hello else { return false }
      return executing.contains(token) || sequence > hello.received
    }
  }

  package internal(set) var workers: [WorkerID: Worker] = [:]
  package var suspicions = Suspicions()
  /// Those that counted as dead, and may come back; of some the log says so.
  var lost: [WorkerID: (worker: Worker, fellSilent: Bool, isTold: Bool)] = [:]
  /// Milliseconds spent listening. Time in which the aggregator itself stood still counts little: the others could not
  /// be heard.
  package private(set) var watched: Int64 = 0
  private var lastTurn: Moment?
  /// When those spoke last whose words wait until the ledger can be used.
  private var unread: [WorkerID: Moment] = [:]
  /// No worker counts as absent before, in milliseconds of `watched`: not all are looked through in every turn.
  var quietUntil = Heartbeat.workerLifeMilliseconds

  package var leakCounts: [String: Int] { ["suspicions": suspicions.count] }

  /// nil when it has not spoken to this aggregator.
  package func secret(of worker: WorkerID) -> LaneSecret? {
    workers[worker].flatMap { $0.address == nil ? nil : $0.secret }
  }

  package func ids(of role: Role) -> [WorkerID] {
    workers.filter { $0.value.role == role }.keys.sorted()
  }

  /// More workers than any fleet has: a peer that reports more invents their names.
  private static let most = 10_000

  package func hasRoom(for worker: WorkerID) -> Bool { workers[worker] != nil || workers.count < Self.most }

  /// - Returns: False when it was said before.
  package mutating func differs(_ worker: WorkerID, _ difference: String?) -> Bool {
    guard workers[worker]?.difference != difference else { return false }
    workers[worker]?.difference = difference
    return true
  }

  package func worker(at address: Address) -> WorkerID? {
    workers.filter { $0.value.address == address }.keys.min()
  }

  /// A worker that an earlier aggregator gave leases to. It has the rest of its time to speak to this one, and a moment
  /// at least: it could not be heard while there was no aggregator.
  ///
  /// - Parameter lastHeardAny: When the earlier one heard any; after a long absence lanes take longer to come back.
  package mutating func expect(_ worker: WorkerID, lastHeard: Moment, lastHeardAny: Moment, at now: Moment) {
    guard workers[worker] == nil else { return }
    let wasLong = now.milliseconds(since: lastHeardAny) >= Heartbeat.longAbsenceMilliseconds
    let most =
      Heartbeat.workerLifeMilliseconds
      - (wasLong ? Heartbeat.lateReunionMilliseconds : Heartbeat.reunionMilliseconds)
    let silence = min(max(0, now.milliseconds(since: lastHeard)), most)
    workers[worker] = Worker(heardAt: watched - silence)
    quietUntil = min(quietUntil, watched - silence + Heartbeat.workerLifeMilliseconds)
  }

  /// A turn of the loop: it hears all workers that spoke since the last one.
  package mutating func listens(at now: Moment) {
    if let lastTurn {
      watched += min(max(0, now.milliseconds(since: lastTurn)), Heartbeat.longestTurnMilliseconds)
    }
    lastTurn = now
    unread = [:]
  }

  /// A worker spoke, which counts when its words are read.
  package mutating func isHeard(_ worker: WorkerID, at now: Moment) {
    if workers[worker] != nil { unread[worker] = now }
  }

  /// For how long a worker has said nothing, also while its words could not be read.
  package func silence(of id: WorkerID, _ worker: Worker, at now: Moment) -> Int64 {
    if let moment = unread[id] { return max(0, now.milliseconds(since: moment)) }
    return watched - worker.heardAt + max(0, now.milliseconds(since: lastTurn ?? now))
  }

  /// - Returns: The leases that are lost, now that this worker has said what it holds.
  package mutating func spoke(
    _ hello: Hello, over secret: LaneSecret = .none, _ leases: inout Leases, at now: Moment
  ) -> [Leases.Loss] {
    guard hello.role == .fetcher || hello.role == .decoder else { return [] }
    var worker = workers[hello.worker] ?? Worker(heardAt: watched)
    worker.hello = hello
    worker.hello?.held = []
    worker.hello?.executing = []
    worker.executing = Set(hello.executing)
    worker.secret = secret
    worker.heardAt = watched
    workers[hello.worker] = worker
    return leases.listed(in: hello, self, at: now)
  }

  /// Its lane went down, or it said good-bye, or nothing for too long.
  ///
  /// - Parameter isCertain: Not when only its lane was seen to go down.
  /// - Returns: The leases that are lost at once; those that a decoder can have are looked for first.
  package mutating func died(
    _ id: WorkerID, isCertain: Bool = true, _ leases: inout Leases, at now: Moment
  ) -> [Leases.Loss] {
    guard let worker = workers.removeValue(forKey: id) else { return [] }
    if !worker.isLeaving { noteLost(id, worker) }
    return leases.died(id, worker, isCertain: isCertain, decoders: ids(of: .decoder), at: now)
  }

  /// When `findAbsent` or a suspicion will have something to say; nil without workers.
  package var nextWake: Moment? {
    let silence = workers.isEmpty ? nil : quietUntil - watched
    return [silence, suspicions.nextEnd.map { $0 - watched }].compactMap { $0 }.min().flatMap {
      lastTurn?.advanced(byMilliseconds: min(max(1, $0), Heartbeat.helloMilliseconds))
    }
  }
}

/// Workers that finish what they have and end.
extension WorkerRegistry {
  /// - Returns: What a client hears that wants a worker drained; nil when the worker is to be told, at its next HELLO if it
  ///   has leases from before the aggregator's start.
  package mutating func drainWished(_ id: WorkerID, _ leases: Leases) -> DrainOrder.Reply? {
    guard let worker = workers[id] else { return .gone }
    if worker.isLeaving, worker.hello != nil {
      return .leaving(jobs: UInt32(clamping: leases.tokens(of: id).count))
    }
    workers[id]?.isToDrain = true
    return nil
  }

  package mutating func noteLeaving(_ worker: WorkerID, _ leases: inout Leases) {
    workers[worker]?.isLeaving = true
    workers[worker]?.isToDrain = false
    leases.excuse(worker)
  }
}

/// Workers that only seem to be gone.
extension WorkerRegistry {
  /// So many that counted as dead are remembered.
  private static let mostLost = 1_000
  private static let silenceIsNews: Int64 = 86_400_000

  /// The lane to it went down, or came up again. Until it does, it keeps what it has.
  package mutating func heard(_ notice: LaneNotice, of worker: WorkerID) {
    let end = watched + Heartbeat.lateReunionMilliseconds
    workers[worker]?.cut = notice.isUp ? nil : (end, notice.isOwn)
    if !notice.isUp { quietUntil = min(quietUntil, end) }
  }

  /// Workers that have been silent for longer than a live one is, and those whose lanes did not come up again in time.
  package mutating func findAbsent() -> (silent: [WorkerID], stayedAway: [WorkerID]) {
    guard watched >= quietUntil else { return ([], []) }
    // A new one may be silent for as long.
    quietUntil = watched + Heartbeat.workerLifeMilliseconds
    var absent = (silent: [WorkerID](), stayedAway: [WorkerID]())
    for (id, worker) in workers {
      let silentFrom = worker.heardAt + Heartbeat.workerLifeMilliseconds
      quietUntil = min(quietUntil, silentFrom, worker.cut?.until ?? .max)
      if silentFrom <= watched {
        absent.silent.append(id)
      } else if let cut = worker.cut, cut.until <= watched {
        absent.stayedAway.append(id)
      }
    }
    return (absent.silent.sorted(), absent.stayedAway.sorted())
  }

  mutating func noteLost(_ id: WorkerID, _ worker: Worker) {
    if lost.count >= Self.mostLost { lost = [:] }
    // One that ends breaks its lanes off.
    let staysAway = worker.cut.map { $0.isOwn && $0.until <= watched } ?? false
    let isSilent = staysAway || watched - worker.heardAt >= Heartbeat.workerLifeMilliseconds
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
