/// Which complete batches may be forgotten.
public struct ForgettingRule: Hashable, Sendable {
  public private(set) var choice = ForgettingChoice(unconfirmedToo: true)
  /// Batches with unconfirmed rows may be forgotten that have not changed since then; nil for when the others may.
  private var unreadBefore: Moment?
  /// Whether it is of passing batches alone, or of no such; nil for all.
  public private(set) var wantsPassing: Bool?
  /// Calls of a run that may still go on are spared.
  private var sparesNewCalls = false

  /// Those whose rows have all been confirmed, and others that have not changed since another moment: a reader that is not
  /// through finds the rest when it comes back. nil keeps these for ever.
  public static func old(unreadBefore: Moment?) -> ForgettingRule {
    ForgettingRule(
      choice: ForgettingChoice(unconfirmedToo: unreadBefore != nil), unreadBefore: unreadBefore)
  }

  /// Those of passing batches, such as pings.
  public static let passing = ForgettingRule(wantsPassing: true)

  /// What a user chose of them. Who names no batch means those that lists show.
  public static func chosen(_ choice: ForgettingChoice) -> ForgettingRule {
    ForgettingRule(choice: choice, wantsPassing: choice.batch == nil ? false : nil, sparesNewCalls: true)
  }

  public func unreadLimit(_ before: Moment) -> Moment? {
    choice.unconfirmedToo ? unreadBefore ?? before : nil
  }

  /// Calls of a run that may still go on are not chosen until they are so old.
  public static let callsKeptMilliseconds: Int64 = 3_600_000

  /// Batches of calls may be forgotten that have not changed since then; nil for all.
  public func callsLimit(_ before: Moment) -> Moment? {
    sparesNewCalls ? before.advanced(byMilliseconds: -Self.callsKeptMilliseconds) : nil
  }

  public func wants(_ batch: LedgerBatch, changedAt: Moment, before moment: Moment) -> Bool {
    let (id, limit) = (batch.id, batch.unread == 0 ? moment : unreadLimit(moment))
    guard batch.isComplete, let limit, changedAt < limit else { return false }
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
  public var gone: [LedgerBatch] = []

  public init(jobs: Int, next: RowPlace?) {
    (self.jobs, self.next) = (jobs, next)
  }
}
