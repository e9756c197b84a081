/// Which complete batches may be forgotten.
public enum ForgettingRule: Hashable, Sendable {
  /// Those whose rows have all been confirmed, and others that have not changed since another moment: a reader that is not
  /// through finds the rest when it comes back. nil keeps these for ever.
  case old(unreadBefore: Moment?)
  /// Those of passing batches, such as pings.
  case passing
  /// What a user chose of them.
  case chosen(ForgettingChoice)

  /// The rule in the words of a choice.
  public var choice: ForgettingChoice {
    switch self {
    case .old(let unread): ForgettingChoice(unconfirmedToo: unread != nil)
    case .passing: ForgettingChoice(unconfirmedToo: true)
    case .chosen(let choice): choice
    }
  }

  /// Batches with unconfirmed rows may be forgotten that have not changed since then; nil for none.
  public func unreadLimit(_ before: Moment) -> Moment? {
    if case .old(let unread) = self { return unread }
    return choice.unconfirmedToo ? before : nil
  }

  /// Whether it is of passing batches alone, or of no such; nil for all. Who names none means those that lists show.
  public var wantsPassing: Bool? {
    switch self {
    case .old: nil
    case .passing: true
    case .chosen(let choice): choice.batch == nil ? false : nil
    }
  }

  /// Calls of a run that may still go on are not chosen until they are so old.
  public static let callsKeptMilliseconds: Int64 = 3_600_000

  /// Batches of calls may be forgotten that have not changed since then; nil for all.
  public func callsLimit(_ before: Moment) -> Moment? {
    if case .chosen = self { before.advanced(byMilliseconds: -Self.callsKeptMilliseconds) } else { nil }
  }

  public func wants(
    _ id: BatchID, _ counters: BatchCounters, changedAt: Moment, before moment: Moment
  ) -> Bool {
    let limit = counters.unread == 0 ? moment : unreadLimit(moment)
    guard counters.isComplete, let limit, changedAt < limit else { return false }
    if id.isOfCalls, let limit = callsLimit(moment), changedAt >= limit { return false }
    return wantsPassing ?? id.isPassing == id.isPassing && choice.batch ?? id == id
  }
}

/// Jobs of complete batches that a user wants to be forgotten. Open jobs are never among them.
public struct ForgettingChoice: Codable, Hashable, Sendable {
  /// nil for all batches.
  public var batch: BatchID?
  /// nil for all jobs, however they ended.
  public var end: JobLife.End?
  /// Also of batches with rows that no reader has confirmed.
  public var unconfirmedToo: Bool
  /// Nothing is deleted, only counted.
  public var onlyCounts: Bool

  public init(
    batch: BatchID? = nil, end: JobLife.End? = nil, unconfirmedToo: Bool = false, onlyCounts: Bool = false
  ) {
    self.batch = batch
    self.end = end
    self.unconfirmedToo = unconfirmedToo
    self.onlyCounts = onlyCounts
  }
}

/// A row's place among all rows of a ledger, which are kept batch after batch, and in a batch by number.
public struct RowPlace: Hashable, Comparable, Sendable {
  public var value: UInt64

  public init(_ value: UInt64) {
    self.value = value
  }

  /// - Parameter serial: The batch's number, by which the ledger has it.
  public init(serial: Int64, number: UInt64) {
    value = UInt64(bitPattern: serial << 32 | Int64(clamping: min(number, Job.mostInBatch)))
  }

  public static let first = RowPlace(0)

  public var serial: Int64 { Int64(bitPattern: value >> 32) }
  public var number: UInt64 { value & 0xFFFF_FFFF }

  public static func < (left: RowPlace, right: RowPlace) -> Bool { left.value < right.value }
}

/// What one step of forgetting did.
public struct ForgettingStep: Hashable, Sendable {
  /// Jobs that were forgotten, or counted.
  public var jobs: Int
  /// Where the next step begins; nil when nothing is left. A step that forgot nothing need not be the last.
  public var next: RowPlace?
  /// Batches of which nothing is left.
  public var gone: [ForgottenBatch]

  public init(jobs: Int, next: RowPlace?, gone: [ForgottenBatch] = []) {
    self.jobs = jobs
    self.next = next
    self.gone = gone
  }
}

/// What a log says of a batch that was forgotten.
public struct ForgottenBatch: Hashable, Sendable {
  public var id: BatchID
  public var name: String?
  public var rows: UInt64
  /// Rows that no reader has confirmed.
  public var unread: UInt64

  public init(id: BatchID, name: String?, rows: UInt64, unread: UInt64) {
    (self.id, self.name, self.rows, self.unread) = (id, name, rows, unread)
  }
}
