import Pipeline

/// The order of the hosts.
extension HostQueue {
  /// The hosts of one section, in the order in which they may go on.
  struct Rotation {
    var ready = BatchRotation()
    var pauses = MinHeap<Moment, String>()
    var count = 0
    /// How many of them are of which batch.
    var counts: [BatchID?: Int] = [:]

    mutating func count(_ more: Int, of batch: BatchID?) {
      guard more != 0 else { return }
      count += more
      let now = counts[batch, default: 0] + more
      counts[batch] = now == 0 ? nil : now
    }
  }
}

/// Hosts that may start something, by the batch that is next at each: batches take turns, and so do the hosts of each.
struct BatchRotation: Sendable {
  private var hosts: [BatchID?: FIFO<String>] = [:]
  private var order = FIFO<BatchID?>()

  mutating func append(_ host: String, of batch: BatchID?) {
    if hosts[batch] == nil { order.append(batch) }
    hosts[batch, default: FIFO()].append(host)
  }

  mutating func popFirst() -> (host: String, batch: BatchID?)? {
    guard let batch = order.popFirst(), let host = hosts[batch]?.popFirst() else { return nil }
    if hosts[batch]?.isEmpty == true { hosts[batch] = nil } else { order.append(batch) }
    return (host, batch)
  }
}
