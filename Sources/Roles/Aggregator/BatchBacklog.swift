import Pipeline

/// Which ready jobs of a batch memory does not hold, and up to where they were read. A pure value.
struct BatchBacklog: Sendable {
  private struct Line: Sendable {
    /// The last job that was read; nil for none.
    var after: JobID?
    /// It may be read on.
    var isThirsty = false
  }

  /// Lines that were not read to their end.
  private var lines: [String: Line] = [:]
  private var thirsty = FIFO<String>()
  /// Where a round stands. It goes through the jobs in the order of their ids, as the ledger keeps them, and from host to
  /// host once it finds little but jobs of lines that are known: those are jumped over then.
  enum Place: Sendable {
    case jobs(after: JobID?)
    case hosts(after: String?)
  }

  /// From where a round is to begin.
  private enum Start: Sendable {
    case first
    case after(JobID)
  }

  /// nil while none is under way.
  private(set) var round: Place? = .jobs(after: nil)
  /// Some of its jobs were submitted by an older version, and have no host in the ledger.
  var hasUnnamed = false
  /// Something was left out where the round has been already.
  private var next: Start?

  var lineCount: Int { lines.count }
  var hasWork: Bool { round != nil || !thirsty.isEmpty }
  var isDone: Bool { round == nil && lines.isEmpty }

  func knows(_ host: String) -> Bool { lines[host] != nil }

  /// Jobs of a host, behind this one, are neither in memory nor of a known line.
  mutating func missed(_ host: String, after id: JobID?) {
    switch round {
    case nil: round = .jobs(after: id)
    case .jobs(let place):
      if let place, id.map({ $0 < place }) ?? true { begin(nextAfter: id) }
    case .hosts(let place):
      if let place, host <= place { begin(nextAfter: id) }
    }
  }

  mutating func missedSome() {
    switch round {
    case nil: round = .jobs(after: nil)
    case .jobs(after: nil), .hosts(after: nil): break
    case .jobs, .hosts: next = .first
    }
  }

  private mutating func begin(nextAfter id: JobID?) {
    guard let id else {
      next = .first
      return
    }
    switch next {
    case nil: next = .after(id)
    case .after(let known): next = .after(min(known, id))
    case .first: break
    }
  }

  /// - Parameter skipped: A job that is left; the line starts again when it went past it.
  /// - Returns: Whether the line is new.
  mutating func stands(_ host: String, after: JobID?, unless skipped: JobID?) -> Bool {
    guard let known = lines[host] else {
      lines[host] = Line(after: after)
      return true
    }
    if let skipped {
      if let last = known.after, skipped <= last { lines[host]?.after = nil }
    } else {
      lines[host]?.after = after
    }
    return false
  }

  mutating func thirsts(_ host: String) {
    guard lines[host]?.isThirsty == false else { return }
    lines[host]?.isThirsty = true
    thirsty.append(host)
  }

  mutating func forget(_ host: String) {
    lines[host] = nil
  }

  mutating func nextLine(where isThirsty: (String) -> Bool) -> (host: String, after: JobID?)? {
    while let host = thirsty.popFirst() {
      guard let line = lines[host], line.isThirsty else { continue }
      lines[host]?.isThirsty = false
      if isThirsty(host) { return (host, line.after) }
    }
    return nil
  }

  /// Where a line is read on; nil when that is its start, or there is no such line.
  func place(of host: String) -> JobID? { lines[host]?.after }

  /// Hosts that the round need not look at.
  var passedOver: Set<String> { Set(lines.keys) }

  /// - Parameter place: Up to where it went; nil when it is over.
  mutating func wentRound(to place: Place?) {
    round = place
    guard place == nil, let next else { return }
    self.next = nil
    round =
      switch next {
      case .first: .jobs(after: nil)
      case .after(let id): .jobs(after: id)
      }
  }
}
