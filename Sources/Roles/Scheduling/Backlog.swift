package import Pipeline

/// Up to where the ledger's jobs whose time has come were read; nil for none.
package struct TimedCursors: Sendable {
  package var retries: JobID?
  package var overdue: JobID?
}

/// Keeps track of ready jobs that the ledger holds and memory does not, and decides what is read next.
///
/// Memory holds of each batch and host only what can start soon. A host of a batch is known here once its jobs were read
/// and not to their end; it is read on when memory holds little of it. A round over a batch finds the other hosts.
/// Batches take turns by their weights.
///
/// What is kept here is bounded: hosts that would be too many are left to the next round. A pure value.
package struct Backlog: ~Copyable, Sendable {
  /// Jobs read in one transaction.
  package static let page = 1_000
  /// Jobs read of a batch before others have their turn.
  package static let share = 250
  /// How often to ask the ledger for jobs that are due.
  static let lookMilliseconds: Int64 = 1_000
  /// Batches that are known at a time, at least; further ones are found when these are read.
  private static let fewestBatches = 1_024

  /// Jobs that are kept in memory.
  private let capacity: Int
  private(set) var batches: [BatchID: BatchBacklog] = [:]
  /// The batches that have something to read, in the order of their turns.
  private var turns = MinHeap<VirtualTime.Turn, BatchID>()
  private var now: UInt64 = 0
  private var order: UInt64 = 0
  /// The batches in which a host is known.
  private var batchesOfHost: [String: [BatchID]] = [:]
  /// The ledger may hold ready jobs of batches that are not known here.
  private(set) var mayHoldOthers = false
  /// Up to where those were looked for.
  package private(set) var lookedThrough: Int64?
  private var othersCameMeanwhile = false
  /// The ledger may hold retries that memory does not.
  package private(set) var mayHoldRetries = false
  package private(set) var nextLook: Moment?
  /// Up to where jobs whose time has come were read.
  package var timed = TimedCursors()

  package init(capacity: Int) {
    self.capacity = capacity
  }

  package var isBounded: Bool { capacity < .max }

  /// The ledger may hold ready jobs that memory does not.
  package var mayHoldReady: Bool { mayHoldOthers || !batches.isEmpty }

  package var seeksBatches: Bool { mayHoldOthers && batches.count < mostBatches }
  private var mostBatches: Int { max(Self.fewestBatches, capacity) }

  package func knows(_ batch: BatchID, host: String) -> Bool { batches[batch]?.knows(host) ?? false }

  /// Batches of which a host has more in the ledger.
  package func batchCount(at host: String) -> Int { batchesOfHost[host]?.count ?? 0 }

  /// Jobs of any batch may have been left out.
  package mutating func leftOutSome(at now: Moment) {
    if lookedThrough != nil { othersCameMeanwhile = true }
    mayHoldOthers = true
    look(at: now)
  }

  /// The round under way comes to a job that is left out now.
  package func willMeet(_ id: JobID, of batch: BatchID, host: String) -> Bool {
    nextLook != nil && batches[batch]?.willMeet(id, of: host) ?? false
  }

  /// A job was not taken into memory.
  ///
  /// - Parameter hasEnough: Memory has all of its host that it wants: what is left of it is read on when that is used up.
  package mutating func leftOut(_ id: JobID, of batch: BatchID, host: String, hasEnough: Bool, at now: Moment)
  {
    look(at: now)
    guard batches[batch] != nil || batches.count < mostBatches else {
      return leftOutSome(at: now)
    }
    begin(batch)
    guard hasEnough || knows(batch, host: host) else {
      batches[batch]?.missed(in: id.readyBlock)
      return
    }
    let isNew = batches[batch]?.leftOut(id, of: host) ?? false
    if isNew { batchesOfHost[host, default: []].append(batch) }
  }

  package mutating func leftOutRetry(at now: Moment) {
    mayHoldRetries = true
    look(at: now)
  }

  package mutating func looked(at now: Moment) {
    let isNeeded = mayHoldReady || mayHoldRetries
    nextLook = isNeeded ? now.advanced(byMilliseconds: Self.lookMilliseconds) : nil
  }

  private mutating func look(at now: Moment) {
    nextLook = nextLook ?? now
  }

  private mutating func begin(_ batch: BatchID) {
    guard batches[batch] == nil else { return }
    batches[batch] = BatchBacklog()
    queue(batch, at: now)
  }

  private mutating func queue(_ batch: BatchID, at time: UInt64) {
    order &+= 1
    turns.insert(batch, at: VirtualTime.Turn(time: max(time, now), order: order))
  }

  /// Memory holds less of a host than before.
  ///
  /// - Parameter isBusy: Memory has something of it, or it pauses. Others are left to the next round when they are many.
  package mutating func shrank(_ host: String, isBusy: Bool) {
    for batch in batchesOfHost[host] ?? [] {
      if isBusy || batchesOfHost.count <= capacity {
        batches[batch]?.makeDue(host)
      } else {
        let place = batches[batch]?.place(of: host)
        forget(batch, host: host)
        batches[batch]?.missed(in: place?.readyBlock ?? ReadyPlace.first.block)
      }
    }
  }

  private mutating func forget(_ batch: BatchID, host: String) {
    batches[batch]?.forget(host)
    batchesOfHost[host]?.removeAll { $0 == batch }
    if batchesOfHost[host]?.isEmpty == true { batchesOfHost[host] = nil }
  }
}

// Reading.
extension Backlog {
  /// - Parameter hasRoom: For jobs of a batch.
  package func canRead(where hasRoom: (BatchID) -> Bool) -> Bool {
    seeksBatches || batches.contains { $1.hasWork && hasRoom($0) }
  }

  /// The batches whose turn it is; one of great weight can stand there several times.
  package mutating func nextBatches(
    weight: (BatchID) -> UInt32, where hasRoom: (BatchID) -> Bool
  ) -> [BatchID] {
    var chosen: [(batch: BatchID, time: UInt64)] = []
    var others: [(batch: BatchID, time: UInt64)] = []
    while chosen.count < Self.page / Self.share, let (turn, batch) = turns.popFirst() {
      guard let known = batches[batch] else { continue }
      guard !known.isDone else {
        batches[batch] = nil
        continue
      }
      if known.hasWork, hasRoom(batch) {
        chosen.append((batch, max(turn.time, now)))
      } else {
        others.append((batch, turn.time))
      }
    }
    let turns = takeTurns(among: &chosen, weight)
    for (batch, time) in others + chosen { queue(batch, at: time) }
    return turns
  }

  /// As many turns as there are batches.
  private mutating func takeTurns(
    among batches: inout [(batch: BatchID, time: UInt64)], _ weight: (BatchID) -> UInt32
  ) -> [BatchID] {
    var turns: [BatchID] = []
    while turns.count < batches.count {
      guard let next = batches.indices.min(by: { batches[$0].time < batches[$1].time }) else { break }
      turns.append(batches[next].batch)
      now = max(now, batches[next].time)
      batches[next].time += VirtualTime.stride(of: weight(batches[next].batch))
    }
    return turns
  }

  /// The next host of a batch of which memory has too little.
  ///
  /// - Parameter wantsMore: Given a host, and how many batches have more for it.
  package mutating func nextHost(
    of batch: BatchID, where wantsMore: (String, Int) -> Bool
  ) -> (host: String, after: JobID?)? {
    let batchesOfHost = batchesOfHost
    return batches[batch]?.nextHost { wantsMore($0, batchesOfHost[$0]?.count ?? 0) }
  }

  /// A host was read up to a job, or to its end.
  package mutating func read(_ batch: BatchID, host: String, upTo last: JobID?, isWhole: Bool) {
    guard !isWhole else { return forget(batch, host: host) }
    begin(batch)
    let isNew = batches[batch]?.read(host, upTo: last) ?? false
    if isNew { batchesOfHost[host, default: []].append(batch) }
  }

  /// A part of a round was read.
  ///
  /// - Parameter place: Where it goes on; nil when that was all.
  package mutating func wentRound(_ batch: BatchID, to place: ReadyPlace?) {
    batches[batch]?.wentRound(to: place)
  }

  /// Batches with ready jobs were found.
  ///
  /// - Parameter next: Where to look on; nil when that was all.
  package mutating func found(_ found: [BatchID], next: Int64?) {
    for batch in found {
      begin(batch)
      batches[batch]?.missedSome()
    }
    lookedThrough = next
    guard next == nil else { return }
    mayHoldOthers = othersCameMeanwhile
    othersCameMeanwhile = false
  }
}

/// Which ready jobs of a batch memory does not hold, and up to where they were read. A pure value.
struct BatchBacklog: Sendable {
  /// What the ledger has of a host beyond what was read.
  private struct Rest: Sendable {
    /// The last job that was read; nil for none.
    var after: JobID?
    /// It may be read on.
    var isDue = false
  }

  /// Of the hosts whose jobs were not read to the end.
  private var rests: [String: Rest] = [:]
  private var due = FIFO<String>()
  /// Where a round over all hosts of the batch stands; nil while none is under way.
  private(set) var round: ReadyPlace? = .first
  /// The block from which another round is to begin: something was left out where this one has been.
  private var nextBlock: Int64?

  var hasWork: Bool { round != nil || !due.isEmpty }
  var isDone: Bool { round == nil && rests.isEmpty }
  /// Hosts that a round need not look at.
  var passedOver: Set<String> { Set(rests.keys) }

  func knows(_ host: String) -> Bool { rests[host] != nil }

  /// A job of this block is neither in memory nor of a host that is known.
  mutating func missed(in block: Int64) {
    if round == nil {
      round = ReadyPlace(block: block)
    } else if !roundMeets(block) {
      nextBlock = min(nextBlock ?? block, block)
    }
  }

  /// The round under way comes to all jobs of a block.
  private func roundMeets(_ block: Int64) -> Bool {
    guard let round else { return false }
    return round.block < block || round.block == block && round.host.isEmpty
  }

  /// The round under way comes to a job.
  func willMeet(_ id: JobID, of host: String) -> Bool {
    roundMeets(id.readyBlock) && !knows(host)
  }

  /// Any job can have been left out, also before those that were read of a known host.
  mutating func missedSome() {
    for host in rests.keys {
      rests[host]?.after = nil
      makeDue(host)
    }
    missed(in: ReadyPlace.first.block)
  }

  /// A host was read up to a job; nil when it is to be read from its first.
  ///
  /// - Returns: Whether the host is new.
  mutating func read(_ host: String, upTo last: JobID?) -> Bool {
    let isNew = rests[host] == nil
    // What made the next round necessary may have been of this host, which rounds will pass over from here on.
    let missedBefore = isNew && nextBlock.map { $0 <= last?.readyBlock ?? 0 } ?? false
    rests[host, default: Rest()].after = missedBefore ? nil : last
    makeDue(host)
    return isNew
  }

  /// A job of a host was left out: it is read from its first again when it was read past this one.
  ///
  /// - Returns: Whether the host is new.
  mutating func leftOut(_ id: JobID, of host: String) -> Bool {
    guard let known = rests[host] else { return read(host, upTo: nil) }
    if let last = known.after, id <= last { rests[host]?.after = nil }
    makeDue(host)
    return false
  }

  mutating func makeDue(_ host: String) {
    guard rests[host]?.isDue == false else { return }
    rests[host]?.isDue = true
    due.append(host)
  }

  mutating func forget(_ host: String) {
    rests[host] = nil
  }

  /// The next host of which memory has too little.
  mutating func nextHost(where wantsMore: (String) -> Bool) -> (host: String, after: JobID?)? {
    while let host = due.popFirst() {
      guard let rest = rests[host], rest.isDue else { continue }
      rests[host]?.isDue = false
      if wantsMore(host) { return (host, rest.after) }
    }
    return nil
  }

  /// Up to where a host was read; nil when that is nowhere, or the host is not known.
  func place(of host: String) -> JobID? { rests[host]?.after }

  /// - Parameter place: Where it goes on; nil when it is over.
  mutating func wentRound(to place: ReadyPlace?) {
    round = place
    guard place == nil, let nextBlock else { return }
    self.nextBlock = nil
    round = ReadyPlace(block: nextBlock)
  }
}
