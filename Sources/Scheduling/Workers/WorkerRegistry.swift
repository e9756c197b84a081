package import Pipeline

/// Who works on what, and which leases no worker lists any more.
///
/// Every lease is in a worker's HELLO or on its way: a fetcher lists it until a decoder has finished with its document,
/// a decoder until its result is acknowledged. A lease that its worker no longer lists is looked for at the
/// decoders; it is lost when none of them lists it either. A pure value.
package struct WorkerRegistry: Sendable {
  package struct Worker: Sendable {
    package var role: Role
    package var locality: String
    /// What it proves itself with; none until it has spoken to this aggregator.
    package var secret = LaneSecret.none
    /// nil until it has spoken to this aggregator: an earlier one gave it leases.
    package var address: Address?
    /// When it spoke last, in milliseconds of `watched`.
    package var heardAt: Int64
    /// Until when the lane to it has to be up again that a reload may have cut, in milliseconds of `watched`.
    var cutUntil: Int64?
    /// It takes nothing new, and ends when it has nothing left.
    package var isLeaving = false
    /// It is to drain, and is told so again until it says that it does.
    package var isToDrain = false
    /// Why it gets nothing to do; nil when it belongs to its fleet.
    package var difference: String?
    /// nil for one that does not say what it is.
    package var program: WorkerProgram?
    /// Messages that it has taken, by its own count.
    package var messages: UInt64 = 0
    /// nil for one that does not say.
    package var sandbox: WorkerSandbox?
    /// Its place in our lane to it, and what it was executing, when it spoke last.
    var received: UInt64 = 0
    var executing: Set<LeaseToken> = []

    package var verdict: MemberVerdict {
      difference.map { .refused($0) } ?? (isLeaving || isToDrain ? .draining : .compatible)
    }

    /// A document that waits for a decoder harms no fetcher. What came since it spoke last can be executing by now.
    fileprivate func canHaveDied(of token: LeaseToken, at sequence: UInt64) -> Bool {
      guard !isLeaving, address != nil else { return false }
      return executing.contains(token) || sequence > received
    }
  }

  /// A lease that has to be given to another worker.
  package struct Loss: Hashable, Sendable {
    package var token: LeaseToken
    /// Its worker can have died of it.
    package var mayBeToBlame = false
    /// It got lost on the way to its worker, and the credit of the lane with it.
    package var neverArrived = false
    /// Who fell silent with it, if only its lane was seen to go down: it may live.
    package var unseen: WorkerID?
    /// The fetcher that died with it; nil when it was about to end, or had not spoken yet.
    package var dead: WorkerID?
    /// Whose lane to it another worker saw go down: that worker may live, also when it is still among ours.
    package var missed: WorkerID?

    package init(
      token: LeaseToken, mayBeToBlame: Bool = false, neverArrived: Bool = false, unseen: WorkerID? = nil,
      dead: WorkerID? = nil, missed: WorkerID? = nil
    ) {
      (self.token, self.mayBeToBlame, self.neverArrived) = (token, mayBeToBlame, neverArrived)
      (self.unseen, self.dead, self.missed) = (unseen, dead, missed)
    }
  }

  struct Holding: Sendable {
    var worker: WorkerID
    /// Its place in the lane to the worker; 0 when an earlier aggregator sent it.
    var sequence: UInt64
    /// When it was sent, in milliseconds of `watched`.
    var grantedAt: Int64
    var search: Search?
  }

  /// The decoders that have not said yet whether they have it.
  struct Search: Sendable {
    var unasked: Set<WorkerID>
    /// There may be decoders that have not spoken to this aggregator at all.
    var othersMayCome: Bool
    var until: Moment
    var mayBeToBlame: Bool
    var unseen: WorkerID?
    var dead: WorkerID?

    var isInVain: Bool { unasked.isEmpty && !othersMayCome }

    mutating func isOfLeaving() { (mayBeToBlame, unseen, dead) = (false, nil, nil) }

    func loss(of token: LeaseToken) -> Loss {
      Loss(token: token, mayBeToBlame: mayBeToBlame, unseen: unseen, dead: dead)
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
  /// No worker counts as absent before, in milliseconds of `watched`: not all are looked through in every turn.
  var quietUntil = Heartbeat.workerLifeMilliseconds
  var holdings: [LeaseToken: Holding] = [:]
  private(set) var sought: Set<LeaseToken> = []
  /// No search ends before; looking through all of them in every turn would cost most when there is most to do.
  private var searchesLastUntil: Moment?

  package init() {}

  package var leakCounts: [String: Int] {
    ["leases": holdings.count, "searches": sought.count, "suspicions": suspicions.count]
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

  /// The lease was sent to the worker, or found in the ledger as its.
  package mutating func granted(_ token: LeaseToken, to worker: WorkerID, sequence: UInt64) {
    holdings[token] = Holding(worker: worker, sequence: sequence, grantedAt: watched)
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
    workers[worker] = Worker(role: .fetcher, locality: "", address: nil, heardAt: watched - silence)
    quietUntil = min(quietUntil, watched - silence + Heartbeat.workerLifeMilliseconds)
  }

  /// A turn of the loop: it hears all workers that spoke since the last one.
  package mutating func listens(at now: Moment) {
    if let lastTurn {
      watched += min(max(0, now.milliseconds(since: lastTurn)), Heartbeat.longestTurnMilliseconds)
    }
    lastTurn = now
  }

  /// The job came to its end, or the lease was handed back.
  package mutating func ended(_ token: LeaseToken) {
    guard holdings.removeValue(forKey: token)?.search != nil else { return }
    sought.remove(token)
  }

  /// - Returns: The leases that are lost, now that this worker has said what it holds.
  package mutating func spoke(_ hello: Hello, over secret: LaneSecret = .none, at now: Moment) -> [Loss] {
    guard hello.role == .fetcher || hello.role == .decoder else { return [] }
    let held = Set(hello.held)
    var worker =
      workers[hello.worker]
      ?? Worker(role: hello.role, locality: hello.locality, address: hello.address, heardAt: watched)
    (worker.role, worker.locality, worker.address) = (hello.role, hello.locality, hello.address)
    worker.secret = secret
    worker.heardAt = watched
    worker.messages = hello.messages
    worker.program = hello.program
    worker.sandbox = hello.sandbox
    (worker.received, worker.executing) = (hello.received, Set(hello.executing))
    workers[hello.worker] = worker
    adopt(held, by: hello.worker)
    var lost = listMissing(in: hello, held, at: now)
    for token in sought.sorted() {
      holdings[token]?.search?.unasked.remove(hello.worker)
      if let search = holdings[token]?.search, search.isInVain {
        lost.append(search.loss(of: token))
      }
    }
    for loss in lost { ended(loss.token) }
    return lost
  }

  /// What a worker lists is its own from here on, no matter to whom it was sent.
  private mutating func adopt(_ held: Set<LeaseToken>, by worker: WorkerID) {
    for token in held {
      guard let holding = holdings[token] else { continue }
      sought.remove(token)
      holdings[token]?.search = nil
      guard holding.worker != worker, workers[worker]?.role == .decoder || workers[holding.worker] == nil
      else { continue }
      holdings[token]?.worker = worker
      holdings[token]?.sequence = 0
    }
  }

  private mutating func listMissing(in hello: Hello, _ held: Set<LeaseToken>, at now: Moment) -> [Loss] {
    var lost: [Loss] = []
    for token in leases(of: hello.worker) where !held.contains(token) {
      guard let holding = holdings[token], holding.search == nil else { continue }
      if holding.sequence > hello.received {
        // On its way, unless it has been for so long that the lane must have lost it.
        guard watched - holding.grantedAt > Heartbeat.lostFrameMilliseconds else { continue }
        lost.append(Loss(token: token, neverArrived: true))
      } else if hello.role == .decoder {
        lost.append(Loss(token: token))
      } else {
        seek(
          token, until: now.advanced(byMilliseconds: 2 * Heartbeat.helloMilliseconds), blaming: false,
          othersMayCome: watched < 2 * Heartbeat.helloMilliseconds, &lost)
      }
    }
    return lost
  }

  /// Its lane went down, or it said good-bye, or nothing for too long.
  ///
  /// - Parameter isCertain: Not when only its lane was seen to go down.
  /// - Returns: The leases that are lost at once; those that a decoder can have are looked for first.
  package mutating func died(_ id: WorkerID, isCertain: Bool = true, at now: Moment) -> [Loss] {
    guard let worker = workers.removeValue(forKey: id) else { return [] }
    if !worker.isLeaving { noteLost(id, worker) }
    var lost: [Loss] = []
    for token in sought { holdings[token]?.search?.unasked.remove(id) }
    for token in leases(of: id) {
      switch worker.role {
      case .fetcher:
        seek(
          token, until: now.advanced(byMilliseconds: Heartbeat.searchMilliseconds),
          blaming: worker.canHaveDied(of: token, at: holdings[token]?.sequence ?? 0),
          unseen: isCertain ? nil : id, dead: worker.isLeaving || worker.address == nil ? nil : id, &lost)
      case .decoder, .producer, .aggregator: lost.append(Loss(token: token))
      }
    }
    lost += takeFound(at: now)
    for loss in lost { ended(loss.token) }
    return lost
  }

  private mutating func seek(
    _ token: LeaseToken, until moment: Moment, blaming: Bool, unseen: WorkerID? = nil,
    dead: WorkerID? = nil, othersMayCome: Bool = false, _ lost: inout [Loss]
  ) {
    let search = Search(
      unasked: Set(ids(of: .decoder)), othersMayCome: othersMayCome, until: moment, mayBeToBlame: blaming,
      unseen: unseen, dead: dead)
    guard !search.isInVain else {
      lost.append(search.loss(of: token))
      return
    }
    holdings[token]?.search = search
    sought.insert(token)
    searchesLastUntil = min(moment, searchesLastUntil ?? moment)
  }

  /// Leases whose search is over and that no worker has.
  package mutating func overdue(at now: Moment) -> [Loss] {
    guard let searchesLastUntil, searchesLastUntil <= now else { return [] }
    let lost = takeFound(at: now)
    for loss in lost { ended(loss.token) }
    self.searchesLastUntil = sought.compactMap { holdings[$0]?.search?.until }.min()
    return lost
  }

  private func takeFound(at now: Moment) -> [Loss] {
    sought.sorted().compactMap { token in
      guard let search = holdings[token]?.search, search.until <= now || search.isInVain else {
        return nil
      }
      return search.loss(of: token)
    }
  }

  /// When `overdue`, `findAbsent` or a suspicion will have something to say; nil without workers.
  package var nextWake: Moment? {
    let silence = workers.isEmpty ? nil : quietUntil - watched
    let heartbeat = [silence, suspicions.nextEnd.map { $0 - watched }].compactMap { $0 }.min().flatMap {
      lastTurn?.advanced(byMilliseconds: min(max(1, $0), Heartbeat.helloMilliseconds))
    }
    return [searchesLastUntil, heartbeat].compactMap { $0 }.min()
  }
}
