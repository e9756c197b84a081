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
