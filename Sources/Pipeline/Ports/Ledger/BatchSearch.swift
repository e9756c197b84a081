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

  public func wants(_ batch: LedgerSummary.Batch) -> Bool {
    if let state, !batch.isIn(state) { return false }
    if let name, batch.terms.name?.contains(name) != true { return false }
    if isUnread, batch.unread == 0 { return false }
    if let since, batch.firstSubmittedAt < since { return false }
    if let before, batch.firstSubmittedAt >= before { return false }
    return true
  }
}

extension LedgerSummary.Batch {
  fileprivate func isIn(_ state: BatchState) -> Bool {
    switch state {
    case .open: !progress.isComplete
    case .complete: progress.isComplete
    case .paused: progress.isPaused
    case .cancelled: isCancelled
    case .abandoned: progress.isAbandoned
    }
  }
}

public typealias BatchPage = Page<LedgerSummary.Batch, Int64>

extension BatchPage {
  /// - Parameter looked: The batches that were looked at, each with its place, the newest first.
  public init(_ looked: [(place: Int64, batch: LedgerSummary.Batch)], for search: BatchSearch) {
    self.init()
    for (place, batch) in looked where search.wants(batch) {
      items.append(batch)
      guard items.count < search.limit else {
        next = place > 1 && place != looked.last?.place ? place - 1 : nil
        break
      }
    }
    if next == nil, looked.count >= BatchSearch.mostLooked { next = looked.last.map { $0.place - 1 } }
  }
}
