import Pipeline

/// A batch that was cancelled, and up to where its jobs in the ledger are ended.
struct CancelledBatch: Sendable {
  var id: BatchID
  var cursor: JobID?
  /// Those that memory held are ended in the ledger too.
  var isCommitted = false
}

/// Keeps track of what the ledger holds and memory does not: a batch of millions waits there and is read page by page.
struct Backlog: Sendable {
  /// Jobs read at once.
  static let page = 1_000
  /// How often the ledger is asked for jobs whose time has come.
  static let lookMilliseconds: Int64 = 1_000

  /// Jobs that are kept in memory.
  private let capacity: Int
  /// The ledger may hold ready jobs that memory does not.
  private(set) var mayHoldReady = false
  /// Likewise retries.
  private(set) var mayHoldRetries = false
  /// Where the reading of ready jobs stands.
  private(set) var cursor: JobID?
  /// Jobs were left out since the reading began, maybe behind it.
  private var leftOutMeanwhile = false
  private(set) var nextLook: Moment?

  init(capacity: Int) {
    self.capacity = capacity
  }

  func isFull(_ queued: Int) -> Bool { queued >= capacity }

  func needsReading(_ queued: Int) -> Bool { mayHoldReady && queued < capacity / 2 }

  /// A job was not taken into memory.
  mutating func leftOut(at now: Moment) {
    mayHoldReady = true
    leftOutMeanwhile = true
    nextLook = nextLook ?? now
  }

  mutating func leftOutRetry(at now: Moment) {
    mayHoldRetries = true
    nextLook = nextLook ?? now
  }

  /// A page was read; one that is not full is the last.
  mutating func read(upTo last: JobID?, isLast: Bool) {
    guard isLast else {
      cursor = last
      return
    }
    cursor = nil
    mayHoldReady = leftOutMeanwhile
    leftOutMeanwhile = false
  }

  mutating func looked(at now: Moment) {
    let isNeeded = mayHoldReady || mayHoldRetries
    nextLook = isNeeded ? now.advanced(byMilliseconds: Self.lookMilliseconds) : nil
  }
}
