import Pipeline

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
