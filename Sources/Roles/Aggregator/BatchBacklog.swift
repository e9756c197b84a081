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
  /// A round over all hosts is under way, or about to begin.
  private var isRound = true
  /// Where it stands.
  private(set) var after: String?
  /// Something was left out where it has been already.
  private var needsAnother = false

  var lineCount: Int { lines.count }
  var hasWork: Bool { isRound || !thirsty.isEmpty }
  var isDone: Bool { !isRound && lines.isEmpty }

  func knows(_ host: String) -> Bool { lines[host] != nil }

  mutating func missed(_ host: String) {
    if !isRound {
      (isRound, after) = (true, nil)
    } else if let after, host <= after {
      needsAnother = true
    }
  }

  mutating func missedSome() {
    if !isRound {
      (isRound, after) = (true, nil)
    } else if after != nil {
      needsAnother = true
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

  /// Hosts that the round need not look at; nil when there is none.
  var passedOver: Set<String>? { isRound ? Set(lines.keys) : nil }

  mutating func wentRound(upTo host: String?, isLast: Bool) {
    guard isLast else {
      after = host ?? after
      return
    }
    (isRound, needsAnother, after) = (needsAnother, false, nil)
  }
}
