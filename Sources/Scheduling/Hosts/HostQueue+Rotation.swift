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
