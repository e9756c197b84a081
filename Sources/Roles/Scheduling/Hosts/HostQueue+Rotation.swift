import Pipeline

/// The order of the hosts.
extension HostQueue {
  /// The hosts of one section, in the order in which they may go on.
  struct Rotation {
    var turns = BatchTurns()
    var pauses = MinHeap<Moment, String>()

    mutating func popPauseEnd(at now: Moment) -> String? {
      guard let first = pauses.first, first.key <= now else { return nil }
      return pauses.popFirst()?.value
    }
  }
}

/// What batches are allowed.
extension HostQueue {
  /// The part of a batch of what can start.
  mutating func weigh(_ batch: BatchID, _ weight: UInt32) {
    rotations.starts.turns.weigh(batch, weight)
  }

  func weight(of batch: BatchID) -> UInt32 { rotations.starts.turns.weight(of: batch) }

  /// Of all batches that have something waiting, and of this one.
  func weight(with batch: BatchID) -> UInt64 {
    rotations.starts.turns.weight + (count(of: batch) == 0 ? UInt64(weight(of: batch)) : 0)
  }

  /// Likewise of those that have something waiting for a host.
  func weight(with batch: BatchID, host name: String) -> UInt64 {
    let own = rotations.starts.turns.number(of: batch)
    var all = UInt64(weight(of: batch))
    for (number, _) in hosts[name]?.items.starts.counts ?? [] where number != own {
      all += UInt64(rotations.starts.turns.weight(of: number))
    }
    return all
  }

  /// Keeps jobs of a batch from starting, or lets them go.
  mutating func hold(_ batch: BatchID, _ isHeld: Bool) {
    rotations.starts.turns.hold(batch, isHeld)
  }

  /// Takes out all jobs of a batch that wait.
  mutating func takeAll(of batch: BatchID, at now: Moment) -> [Item] {
    guard let number = rotations.starts.turns.number(of: batch) else { return [] }
    rotations.starts.turns.dropHosts(of: number)
    var items: [Item] = []
    for name in hosts.keys.sorted() {
      guard let taken = hosts[name]?.items.starts.takeAll(of: batch), !taken.items.isEmpty else { continue }
      items += taken.items
      rotations.starts.turns.count(-taken.count, of: number)
      forgetIfIdle(name, at: now)
    }
    return items
  }

  /// Keeps a host from starting any job, or lets it go. Walks that redirects lead there go on.
  mutating func hold(host name: String, _ isHeld: Bool, at now: Moment) {
    guard !isHeld else {
      heldHosts.insert(name)
      return
    }
    guard heldHosts.remove(name) != nil else { return }
    list(name, in: .starts, at: now)
    shrank(name, in: .starts)
  }
}

/// Hosts that have not answered.
extension HostQueue {
  /// A host has answered, or there was no way to it.
  mutating func tried(host name: String, answers: Bool, at now: Moment) {
    guard let host = hosts[name], host.isTried != answers else { return }
    change(name) { $0.isTried = answers }
    listAll(name, at: now)
    listForPlaces(at: now)
  }

  /// What all hosts may have at once, of which those that have not answered have a part, beside the few of each of them.
  mutating func shareUntried(of places: Int, at now: Moment) {
    guard paces.percentUntried < 100 else { return }
    untried.most = max(UntriedPlaces.fewest, places * paces.percentUntried / 100)
    listForPlaces(at: now)
  }

  /// - Returns: False when the host waits for a place.
  mutating func hasPlace(_ name: String, in section: HostSection) -> Bool {
    guard untried.isFull, let host = hosts[name], host.needsPlace(in: section) else { return true }
    if !host.waitsForPlace { untried.waiting.append(name) }
    hosts[name]?.waitsForPlace = true
    return false
  }

  mutating func listForPlaces(at now: Moment) {
    var free = untried.most - untried.taken
    while free > 0, let name = untried.waiting.popFirst() {
      hosts[name]?.waitsForPlace = false
      list(name, in: .starts, at: now)
      free -= 1
    }
  }
}

/// What hosts take that have not answered: those that never do must not take the places of those that do.
struct UntriedPlaces: Sendable {
  /// So many at once of each of these hosts take no place.
  static let freeOfEach = 2

  /// Fewer are no crowd that keeps others from anything.
  static let fewest = 16

  var most = Int.max
  var taken = 0
  /// Hosts that have more to start than places.
  var waiting = FIFO<String>()

  var isFull: Bool { taken >= most }
}
