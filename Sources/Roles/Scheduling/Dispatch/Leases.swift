package import Pipeline

/// The leases that are given out: who has each of them, and what it takes. A lease is over once its job needs it no more
/// and its worker has let go of it. A pure value.
///
/// Every lease is in a worker's HELLO or on its way: a fetcher lists it until a decoder has finished with its document,
/// a decoder until its result is acknowledged. A lease that its worker no longer lists is looked for at the
/// decoders; it is lost when none of them lists it either.
package struct Leases: Sendable {
  struct Lease: Sendable {
    let job: JobID
    /// The one that it was given to.
    let fetcher: WorkerID
    /// Whose limits it counts against.
    let payer: BatchID
    /// nil until it is sent, and when no worker has it any more.
    var holding: Holding?
    /// Its job is over or elsewhere, and its worker is still on it.
    var isDropped = false
    /// The host that has one place less for it; nil while its walk waits for one.
    var slot: String?
    /// Where redirects led its walk last.
    @Boxed var detour: Detour?
  }

  /// What a walk asks for at another host than its link's.
  struct Detour: Sendable {
    let number: UInt32
    let host: String
    /// Why the host may not be asked.
    var refusal: Failure?
  }

  struct Holding: Sendable {
    var worker: WorkerID
    /// Its place in the lane to the worker; 0 when that is not known.
    var sequence: UInt64
    /// When it was sent, in milliseconds of listening.
    var sentAt: Int64
  }

  /// A lease that has to be given to another worker.
  package struct Loss: Hashable, Sendable {
    package var token: LeaseToken
    /// Its worker can have died of it.
    package var mayBeToBlame = false
    /// It got lost on the way to its worker, and the credit of the lane with it.
    package var neverArrived = false
    /// The fetcher that died with it; nil when it was about to end, or had not spoken yet.
    package var dead: WorkerID?
    /// Who may live, because only a lane to it was seen to go down.
    package var mayLive: WorkerID?
  }

  /// The decoders that have not said yet whether they have a lease.
  private struct Search: Sendable {
    var loss: Loss
    var unasked: Set<WorkerID>
    /// There may be decoders that have not spoken to this aggregator at all.
    let othersMayCome: Bool
    let until: Moment

    var isInVain: Bool { unasked.isEmpty && !othersMayCome }
  }

  private var leases: [LeaseToken: Lease] = [:]
  private var dropped = 0
  private var searches: [LeaseToken: Search] = [:]
  /// No search ends before; looking through all of them in every turn would cost most when there is most to do.
  private(set) var searchesLastUntil: Moment?

  subscript(token: LeaseToken) -> Lease? { leases[token] }

  var count: Int { leases.count }
  /// Those that their jobs need.
  var open: Int { leases.count - dropped }
  var searched: Int { searches.count }

  func count(of payer: BatchID) -> Int { leases.values.count { $0.payer == payer } }

  func hasAny(of fetcher: WorkerID) -> Bool { leases.values.contains { $0.fetcher == fetcher } }

  /// How many each worker has.
  package var counts: [WorkerID: Int] {
    leases.values.reduce(into: [:]) { counts, lease in
      if let worker = lease.holding?.worker { counts[worker, default: 0] += 1 }
    }
  }

  /// Looked up among all: that is asked once a heartbeat, and leases come and go all the time.
  func tokens(of worker: WorkerID) -> [LeaseToken] {
    leases.filter { $0.value.holding?.worker == worker }.keys.sorted()
  }

  mutating func granted(
    _ token: LeaseToken, of job: JobID, to fetcher: WorkerID, payer: BatchID, slot: String
  ) {
    leases[token] = Lease(job: job, fetcher: fetcher, payer: payer, slot: slot)
  }

  /// - Parameter watched: Milliseconds spent listening so far.
  mutating func sent(_ token: LeaseToken, to fetcher: WorkerID, sequence: UInt64, watched: Int64) {
    leases[token]?.holding = Holding(worker: fetcher, sequence: sequence, sentAt: watched)
  }

  /// A redirect led its walk to another host.
  mutating func led(_ token: LeaseToken, to detour: Detour, slot: String?) {
    leases[token]?.detour = detour
    leases[token]?.slot = slot
  }

  /// No worker has it any more.
  ///
  /// - Returns: The lease, if it is over.
  mutating func released(_ token: LeaseToken) -> Lease? {
    if !searches.isEmpty { searches[token] = nil }
    guard let index = leases.index(forKey: token) else { return nil }
    guard leases.values[index].isDropped else {
      leases.values[index].holding = nil
      return nil
    }
    dropped -= 1
    return leases.remove(at: index).value
  }

  /// Its job needs it no more.
  ///
  /// - Parameter isHeld: Its worker, if one has it, is on it until it lets go.
  /// - Returns: The lease, if it is over.
  mutating func left(_ token: LeaseToken, isHeld: Bool) -> Lease? {
    if isHeld, leases[token]?.holding != nil {
      leases[token]?.isDropped = true
      leases[token]?.detour = nil
      dropped += 1
      return nil
    }
    if !searches.isEmpty { searches[token] = nil }
    return leases.removeValue(forKey: token)
  }
}

// Leases that workers list no more.
extension Leases {
  /// - Returns: The leases that are lost, now that a worker has said what it holds.
  mutating func listed(in hello: Hello, _ registry: WorkerRegistry, at now: Moment) -> [Loss] {
    let held = Set(hello.held)
    adopt(held, by: hello.worker, registry)
    var lost = listMissing(in: hello, held, registry, at: now)
    for token in searches.keys.sorted() {
      searches[token]?.unasked.remove(hello.worker)
      if let search = searches[token], search.isInVain { lost.append(search.loss) }
    }
    return lose(lost)
  }

  /// What a worker lists is its own from here on, no matter to whom it was sent.
  private mutating func adopt(_ held: Set<LeaseToken>, by worker: WorkerID, _ registry: WorkerRegistry) {
    for token in held {
      guard let holding = leases[token]?.holding else { continue }
      searches[token] = nil
      guard holding.worker != worker,
        registry.workers[worker]?.role == .decoder || registry.workers[holding.worker] == nil
      else { continue }
      leases[token]?.holding?.worker = worker
      leases[token]?.holding?.sequence = 0
    }
  }

  private mutating func listMissing(
    in hello: Hello, _ held: Set<LeaseToken>, _ registry: WorkerRegistry, at now: Moment
  ) -> [Loss] {
    var lost: [Loss] = []
    for token in tokens(of: hello.worker) where !held.contains(token) && searches[token] == nil {
      guard let holding = leases[token]?.holding else { continue }
      if holding.sequence > hello.received {
        // On its way, unless it has been for so long that the lane must have lost it.
        guard registry.watched - holding.sentAt > Heartbeat.lostFrameMilliseconds else { continue }
        lost.append(Loss(token: token, neverArrived: true))
      } else if hello.role == .decoder {
        lost.append(Loss(token: token))
      } else {
        seek(
          Loss(token: token), until: now.advanced(byMilliseconds: 2 * Heartbeat.helloMilliseconds),
          at: registry.ids(of: .decoder),
          othersMayCome: registry.watched < 2 * Heartbeat.helloMilliseconds, &lost)
      }
    }
    return lost
  }

  /// A worker is gone.
  ///
  /// - Parameter isCertain: Not when only its lane was seen to go down.
  /// - Returns: The leases that are lost at once; those that a decoder can have are looked for first.
  mutating func died(
    _ id: WorkerID, _ worker: WorkerRegistry.Worker, isCertain: Bool, decoders: [WorkerID], at now: Moment
  ) -> [Loss] {
    var lost: [Loss] = []
    for token in searches.keys.sorted() { searches[token]?.unasked.remove(id) }
    for token in tokens(of: id) {
      guard worker.role == .fetcher else {
        lost.append(Loss(token: token))
        continue
      }
      var loss = Loss(token: token)
      loss.mayBeToBlame = worker.canHaveDied(of: token, at: leases[token]?.holding?.sequence ?? 0)
      loss.dead = worker.isLeaving || worker.address == nil ? nil : id
      loss.mayLive = isCertain ? nil : id
      seek(
        loss, until: now.advanced(byMilliseconds: Heartbeat.searchMilliseconds), at: decoders, &lost)
    }
    return lose(lost + found(at: now))
  }

  /// A worker wanted to end, which was read after its lane went down: it died of none of the jobs that are looked for.
  mutating func excuse(_ worker: WorkerID) {
    for (token, search) in searches where search.loss.dead == worker {
      searches[token]?.loss = Loss(token: token)
    }
  }

  private mutating func seek(
    _ loss: Loss, until moment: Moment, at decoders: [WorkerID], othersMayCome: Bool = false,
    _ lost: inout [Loss]
  ) {
    let search = Search(loss: loss, unasked: Set(decoders), othersMayCome: othersMayCome, until: moment)
    guard !search.isInVain else { return lost.append(loss) }
    searches[loss.token] = search
    searchesLastUntil = min(moment, searchesLastUntil ?? moment)
  }

  /// What a worker hands back. It may not give back what another worker has.
  package func losses(in giveBack: GiveBack) -> [Loss] {
    giveBack.tokens.enumerated().compactMap { index, token in
      guard leases[token]?.fetcher == giveBack.from else { return nil }
      return Loss(token: token, mayBeToBlame: index < Int(giveBack.executing), mayLive: giveBack.peer)
    }
  }

  /// Leases whose search is over and that no worker has.
  package mutating func overdue(at now: Moment) -> [Loss] {
    guard let searchesLastUntil, searchesLastUntil <= now else { return [] }
    let lost = lose(found(at: now))
    self.searchesLastUntil = searches.values.map(\.until).min()
    return lost
  }

  private func found(at now: Moment) -> [Loss] {
    searches.filter { $0.value.until <= now || $0.value.isInVain }.map(\.value.loss)
      .sorted { $0.token < $1.token }
  }

  /// No worker has them. What a dropped one takes is free with `released`.
  private mutating func lose(_ lost: [Loss]) -> [Loss] {
    for loss in lost {
      searches[loss.token] = nil
      leases[loss.token]?.holding = nil
    }
    return lost
  }
}

/// What was kept last, by key. Bounded: the oldest are forgotten first. A pure value.
struct LastKept<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let most: Int
  private var values: [Key: Value] = [:]
  private var order = FIFO<Key>()

  init(most: Int) {
    self.most = most
  }

  subscript(key: Key) -> Value? { values.isEmpty ? nil : values[key] }

  mutating func keep(_ value: Value, for key: Key) {
    if values.updateValue(value, forKey: key) == nil { order.append(key) }
    while order.count > most, let oldest = order.popFirst() { values[oldest] = nil }
  }
}
