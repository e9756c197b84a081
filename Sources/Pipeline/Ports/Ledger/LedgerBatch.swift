/// A batch as a ledger has it, and by which rules its jobs are counted: the same for each ledger. A pure value.
public struct LedgerBatch: Hashable, Sendable {
  public let id: BatchID
  /// The batch's number in its ledger, in the order in which batches came.
  public let serial: Int64
  public var progress: BatchProgress
  /// Jobs that came, without those that were forgotten.
  public private(set) var submitted: UInt64
  /// The number of the last row that its readers have.
  public private(set) var confirmed: UInt64
  public private(set) var submittedAt: Moment
  /// When the ledger first heard of it.
  public let firstSubmittedAt: Moment
  /// Of its jobs so far, one bit each: a search for a rare kind passes over the others.
  public private(set) var kinds: UInt64
  public var terms = BatchTerms()
  public var pause: Pause? { didSet { progress.isPaused = pause != nil } }
  /// nil when it is wanted.
  public var cancellation: BatchCancellation?

  public init(
    _ id: BatchID, serial: Int64,
    _ progress: BatchProgress = BatchProgress(total: nil, rows: 0, settled: 0),
    submitted: UInt64 = 0, confirmed: UInt64 = 0, kinds: UInt64 = 0, submittedAt: Moment,
    firstSubmittedAt: Moment
  ) {
    (self.id, self.serial, self.progress, self.kinds) = (id, serial, progress, kinds)
    (self.submitted, self.confirmed) = (submitted, confirmed)
    (self.submittedAt, self.firstSubmittedAt) = (submittedAt, firstSubmittedAt)
  }

  /// Jobs that are not over.
  public var open: UInt64 { submitted - min(submitted, progress.settled) }
  /// Rows that no reader has confirmed.
  public var unread: UInt64 { progress.rows - min(progress.rows, confirmed) }
  private var hasHadJobs: Bool { submitted > 0 || progress.rows > 0 }
  /// No job ever came, and none is awaited, or not for sure.
  public var isJobless: Bool {
    !hasHadJobs && (progress.total == 0 || progress.total == nil && cancellation != nil)
  }
  /// More jobs may come, or are awaited.
  public var isUnfinished: Bool { progress.total.map { $0 > submitted } ?? true }
  /// Nothing of it is open, and nothing is awaited.
  public var isComplete: Bool { progress.isComplete && submitted == progress.settled }

  /// It is submitted, perhaps again.
  ///
  /// - Parameter made: What became of the jobs; the rest is added.
  public mutating func take(_ submission: JobsIn, _ made: inout Insertion, at now: Moment) {
    // Also when none is new: who submits a batch again needs it, so it is not old.
    if !submission.jobs.isEmpty { add(jobs: UInt64(clamping: made.count), at: now) }
    for item in submission.jobs { kinds |= Self.bit(of: item.job.kind) }
    if let total = submission.total { made.isClosed = close(total) }
    guard let new = submission.terms else { return }
    // Another list under the same name changes nothing of this one.
    if submission.sender == nil || progress.total == submission.total { terms.take(new) }
    (made.terms, made.isPaused) = (terms, progress.isPaused)
  }

  private mutating func add(jobs: UInt64, at now: Moment) {
    submittedAt = now
    submitted += jobs
    if jobs > 0, progress.isAbandoned {
      (progress.total, progress.isAbandoned) = (nil, false)
    } else if let total = progress.total {
      progress.total = max(total, submitted)
    }
  }

  /// - Returns: False when there are more jobs than that.
  private mutating func close(_ total: UInt64) -> Bool {
    guard total >= submitted else { return false }
    (progress.total, progress.isAbandoned) = (total, false)
    return true
  }

  /// Pauses of hosts and of everything are no batch's.
  public mutating func take(_ change: BatchChange) -> BatchAnswer {
    switch change {
    case .terms(_, let terms):
      self.terms.take(terms)
      return .applied
    case .pause(_, let pause, let moment): return self.pause.become(pause, dueBy: moment)
    case .cancel(_, let cancellation): return .cancelled(jobs: cancel(cancellation))
    case .resume: return cancellation.take() != nil ? .applied : .stale
    case .abandon: return abandon() ? .applied : .stale
    case .confirmRows(_, let number): return confirm(upTo: number) ? .applied : .stale
    }
  }

  /// - Returns: False when it has all its jobs.
  private mutating func abandon() -> Bool {
    guard isUnfinished else { return false }
    (progress.total, progress.isAbandoned) = (submitted, true)
    return true
  }

  /// - Returns: How many jobs will be cancelled by it; those that an earlier wish cancels are not counted again.
  private mutating func cancel(_ cancellation: BatchCancellation) -> UInt64 {
    let known = self.cancellation?.everything
    if known == true, !cancellation.everything { return 0 }
    self.cancellation = cancellation
    return known == cancellation.everything ? 0 : open
  }

  /// A job is over, and has the next row.
  public mutating func settled(_ end: JobLife.End) {
    progress.rows += 1
    progress.settled += 1
    switch end {
    case .done: break
    case .dead: progress.failed += 1
    case .cancelled: progress.cancelled += 1
    }
  }

  /// A dead letter is open again.
  public mutating func requeue() {
    progress.settled -= min(progress.settled, 1)
    progress.failed -= min(progress.failed, 1)
  }

  /// - Returns: False when the rows are not there yet, or were confirmed before.
  private mutating func confirm(upTo number: UInt64) -> Bool {
    guard number > confirmed, number <= progress.rows else { return false }
    confirmed = number
    return true
  }

  /// Jobs of a complete batch are deleted.
  public mutating func forget(jobs ends: [JobLife.End]) {
    let gone = UInt64(clamping: ends.count)
    submitted -= min(submitted, gone)
    progress.settled -= min(progress.settled, gone)
    progress.total = progress.settled
    progress.failed -= min(progress.failed, UInt64(clamping: ends.count { $0 == .dead }))
    progress.cancelled -= min(progress.cancelled, UInt64(clamping: ends.count { $0 == .cancelled }))
  }

  /// Whether a search can find something in it, as far as its counters tell.
  public func mayHave(_ search: JobSearch) -> Bool {
    if let since = search.since, submittedAt < since { return false }
    if let kind = search.kind, kinds & Self.bit(of: kind) == 0 { return false }
    return switch search.phase {
    case nil: true
    case .waiting, .ready, .leased, .scheduled: open > 0
    case .done: progress.done > 0
    case .failed: progress.failed > 0
    case .cancelled: progress.cancelled > 0
    }
  }

  private static func bit(of kind: JobKind) -> UInt64 { 1 << UInt64(kind.rawValue) }
}

/// The state of a batch as users name it. The numbers stand in questions.
public enum BatchState: UInt8, CaseIterable, Codable, Sendable {
  /// Jobs of it are not over, or may come.
  case open = 1
  case complete = 2
  case paused = 3
  case cancelled = 4
  case abandoned = 5
}

/// Which batches to list, the newest first. A batch must match all of it.
public struct BatchSearch: Codable, Hashable, Sendable {
  /// Batches that are looked at for one page, so that it does not take long.
  public static let mostLooked = 2_000
  /// Batches of one page: they fit into a frame.
  public static let mostFound = 200

  public var state: BatchState?
  /// Text that the name contains.
  public var name: String?
  /// Batches that were first submitted at this moment or later.
  public var since: Moment?
  /// Batches that were first submitted before this moment.
  public var before: Moment?
  /// Only batches with rows that no reader has confirmed.
  public var isUnread = false
  /// Where the page begins, as the page before it said; nil for the first.
  public var from: Int64?
  public var limit = BatchSearch.mostFound

  public init() {}

  public func wants(_ batch: LedgerBatch) -> Bool {
    if let state, !batch.isIn(state) { return false }
    if let name, batch.terms.name?.contains(name) != true { return false }
    if isUnread, batch.unread == 0 { return false }
    if let since, batch.firstSubmittedAt < since { return false }
    if let before, batch.firstSubmittedAt >= before { return false }
    return true
  }
}

extension LedgerBatch {
  fileprivate func isIn(_ state: BatchState) -> Bool {
    switch state {
    case .open: !progress.isComplete
    case .complete: progress.isComplete
    case .paused: progress.isPaused
    case .cancelled: cancellation != nil
    case .abandoned: progress.isAbandoned
    }
  }
}

/// Which batches to read.
public enum BatchQuery: Hashable, Sendable {
  /// Of those that are shown. So little is looked at for a page that it does not take long.
  case listed(BatchSearch)
  /// All batches but passing ones and those of calls, or one of them, from a serial number on.
  case shown(BatchID?, from: Int64, limit: Int)
  case cancelled
  /// Those that lack jobs, or were not told how many they have, and that had no submission since a moment; without
  /// those of calls.
  case unfinished(before: Moment, limit: Int)
  /// Those that have ready jobs, behind a serial number.
  case ready(after: Int64, limit: Int)

  /// - Parameter hasReadyJobs: As its ledger knows by the jobs.
  public func wants(_ batch: LedgerBatch, hasReadyJobs: Bool) -> Bool {
    switch self {
    case .listed(let search): batch.id.isShown && batch.serial <= search.from ?? .max
    case .shown(let one, let serial, limit: _):
      batch.id.isShown && batch.serial >= serial && one ?? batch.id == batch.id
    case .cancelled: batch.cancellation != nil
    case .unfinished(let moment, limit: _):
      batch.isUnfinished && batch.submittedAt < moment && !batch.id.isOfCalls
    case .ready(let serial, limit: _): hasReadyJobs && batch.serial > serial
    }
  }

  /// Batches that are looked at for a page at most.
  public var limit: Int {
    switch self {
    case .listed: BatchSearch.mostLooked
    case .cancelled: .max
    case .shown(_, from: _, let limit), .unfinished(before: _, let limit), .ready(after: _, let limit):
      max(0, limit)
    }
  }
}

extension BatchID {
  /// Users see it in lists.
  public var isShown: Bool { !isPassing && !isOfCalls }
}

/// The next page begins at the serial number when batches are listed, and behind it when not.
public typealias BatchPage = Page<LedgerBatch, Int64>

extension BatchPage {
  /// - Parameter looked: The batches that were looked at, the newest first.
  public init(_ looked: some BidirectionalCollection<LedgerBatch>, for search: BatchSearch) {
    self.init()
    for batch in looked where search.wants(batch) {
      items.append(batch)
      guard items.count < search.limit else {
        next = batch.serial > 1 && batch.serial != looked.last?.serial ? batch.serial - 1 : nil
        break
      }
    }
    if next == nil, looked.count >= BatchSearch.mostLooked { next = looked.last.map { $0.serial - 1 } }
  }
}
