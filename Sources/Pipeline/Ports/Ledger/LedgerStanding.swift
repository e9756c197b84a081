/// A time in which no process used the ledger, or a jump of the clock: the ledger cannot tell them apart.
public struct ClockGap: Hashable, Sendable {
  /// When the ledger was last known to be in use.
  public var began: Moment
  /// What the clock said when it was opened again; before `began` when the clock went back.
  public var ended: Moment

  public init(began: Moment, ended: Moment) {
    self.began = began
    self.ended = ended
  }

  /// A renewal is on the disk so often.
  public static let notedMilliseconds: Int64 = 600_000
  private static let shortest: Int64 = 3_600_000
  private static let backMilliseconds: Int64 = 60_000

  /// nil when what lies between is no more than a restart.
  public init?(since seen: Moment, at now: Moment) {
    let passed = now.milliseconds(since: seen)
    guard passed > Self.shortest || passed < -Self.backMilliseconds else { return nil }
    self.init(began: seen, ended: now)
  }

  public var milliseconds: Int64 { ended.milliseconds(since: began) }
}

/// What is old enough to be forgotten. Time counts while the ledger is in use, so that a clock that jumps makes nothing old.
public struct Retention: Hashable, Sendable {
  private let gaps: [ClockGap]
  /// A gap counts as time once the operator has had a day to notice it, but never for unread rows.
  private static let graceMilliseconds: Int64 = 86_400_000

  public init(_ gaps: [ClockGap] = []) {
    self.gaps = gaps.sorted { $0.ended > $1.ended }
  }

  /// What was over before this moment is older than `age`.
  ///
  /// - Parameter isUnread: Its rows have not been read to the end.
  public func limit(_ age: Int64, isUnread: Bool, at now: Moment) -> Moment {
    var (end, left) = (now, age)
    for gap in gaps where isUnread || now.milliseconds(since: gap.ended) < Self.graceMilliseconds {
      let used = max(0, end.milliseconds(since: gap.ended))
      guard used < left else { break }
      // Of a clock that went back, what it said before was no time either.
      (end, left) = (min(end, gap.began, gap.ended), left - used)
    }
    return end.advanced(byMilliseconds: -left)
  }
}

/// How the files of a ledger stand.
public struct LedgerStanding: Hashable, Sendable {
  /// The file was removed or replaced while it is in use; nil when it is where it was.
  public var missing: LedgerError?
  /// Bytes of the reserve, which is given up on a full disk so that jobs can still be cancelled and pruned; 0 without one.
  public var reserve: Int64
  /// It was given up, and there is no room yet to make it again.
  public var isReserveGivenUp: Bool

  public init(missing: LedgerError? = nil, reserve: Int64 = 0, isReserveGivenUp: Bool = false) {
    (self.missing, self.reserve, self.isReserveGivenUp) = (missing, reserve, isReserveGivenUp)
  }
}

/// A ledger in memory has no files, and does not outlive a process.
extension Ledger {
  public func look(at now: Moment) async throws(LedgerError) -> LedgerStanding { LedgerStanding() }

  public func giveUpReserve() async throws(LedgerError) -> Bool { false }

  public func shrink(bytes: Int64) async throws(LedgerError) -> FileStep {
    FileStep(bytes: 0, total: 0)
  }

  public func copy(_ id: UUIDv7) async throws(LedgerError) -> FileStep {
    throw LedgerError("copy ledger: it is in memory only; there is no file to copy")
  }

  public func endCopy() async {}
}
