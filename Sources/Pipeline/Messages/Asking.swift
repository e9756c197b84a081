/// Jobs for a batch. Ids derive from batch and ordinal, so a repeated message changes nothing.
public struct Submit: Archived, Hashable, Sendable {
  public var batch = BatchID.none
  /// Counts the messages of this batch from 0.
  public var sequence: UInt32 = 0
  public var replyTo = Address("")
  public var jobs: [Job] = []
  /// How many jobs the batch has in all: set in its last message.
  public var total: UInt64?
  /// What is asked of the batch from now on; nil to leave it as it is.
  public var terms: BatchTerms?

  public init(
    batch: BatchID, sequence: UInt32, replyTo: Address, jobs: [Job], total: UInt64? = nil,
    terms: BatchTerms? = nil
  ) {
    self.batch = batch
    self.sequence = sequence
    self.replyTo = replyTo
    self.jobs = jobs
    self.total = total
    self.terms = terms
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &batch)
    coder.field(2, &sequence)
    coder.need(3, &replyTo)
    coder.field(4, &total)
    coder.field(5, &terms)
    coder.field(6, &jobs)
  }
}

/// Says that a submission is committed, or never will be.
public struct Receipt: Archived, Hashable, Sendable {
  public var batch = BatchID.none
  public var sequence: UInt32 = 0
  /// Jobs that were new.
  public var inserted: UInt32 = 0
  /// Jobs that were there and are not what they were; nil when there are none.
  public var differing: DifferingJobs?
  /// Why nothing of it was taken; nil when it was.
  public var refusal: Failure?
  /// Of the ledger: that of one in whose place a copy was put is another. 0 is not told.
  public var lineage: UInt64 = 0

  public init(batch: BatchID, sequence: UInt32, inserted: UInt32, differing: DifferingJobs? = nil) {
    self.batch = batch
    self.sequence = sequence
    self.inserted = inserted
    self.differing = differing
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &batch)
    coder.field(2, &sequence)
    coder.field(3, &inserted)
    coder.field(4, &differing)
    coder.field(5, &refusal)
    coder.field(6, &lineage)
  }
}

/// A finished row with its number in its batch, from 1, in the order of completion.
public struct NumberedRow: Archived, Hashable, Sendable {
  public var number: UInt64 = 0
  /// Its job's place in the batch.
  public var ordinal: UInt64 = 0
  /// The row's outcome, so that it can be counted without parsing; nil is ok.
  public var failure: FailureKind?
  public var json: [UInt8] = []

  public init(number: UInt64, ordinal: UInt64, failure: FailureKind?, json: [UInt8]) {
    self.number = number
    self.ordinal = ordinal
    self.failure = failure
    self.json = json
  }

  init() {}

  mutating func code(_ coder: inout some Coder) {
    coder.field(1, &number)
    coder.field(2, &ordinal)
    coder.field(3, &failure)
    coder.bytes(4, &json)
  }
}

/// What is asked all the time, or brings much: rows. All else travels as an `Ask`. Each is safe to repeat, and is asked
/// again until it is answered.
public struct Query: Archived, Hashable, Sendable {
  public enum Question: Hashable, Sendable {
    /// Rows after `confirmed`, and no row beyond `limit`. Rows up to `confirmed` have arrived safely.
    case rows(of: BatchID, confirmed: UInt64, limit: UInt64)
    /// Rows after `after`, and no row beyond `limit`; they stay there for others, and for another time.
    case copies(of: BatchID, after: UInt64, limit: UInt64)
    /// Rows of all batches, or of one, from the place after `after`; a page of them.
    case storedRows(of: BatchID?, after: RowPlace)
  }

  public var replyTo = Address("")
  public var question = Question.storedRows(of: nil, after: .first)

  public init(replyTo: Address, _ question: Question) {
    self.replyTo = replyTo
    self.question = question
  }

  init() {}

  /// The fields of its question stand among its own: which one it is, and what goes with it.
  mutating func code(_ coder: inout some Coder) {
    coder.need(1, &replyTo)
    var (kind, batch, after, limit): (UInt8, BatchID?, UInt64, UInt64)
    switch question {
    case .rows(let of, confirmed: let number, limit: let most):
      (kind, batch, after, limit) = (1, of, number, most)
    case .copies(let of, after: let number, limit: let most):
      (kind, batch, after, limit) = (2, of, number, most)
    case .storedRows(let of, after: let place): (kind, batch, after, limit) = (3, of, place.value, 0)
    }
    coder.need(2, &kind)
    coder.field(3, &batch)
    coder.field(4, &after)
    coder.field(5, &limit)
    guard coder.isReading else { return }
    switch (kind, batch) {
    case (1, let batch?): question = .rows(of: batch, confirmed: after, limit: limit)
    case (2, let batch?): question = .copies(of: batch, after: after, limit: limit)
    case (3, let batch): question = .storedRows(of: batch, after: RowPlace(after))
    default: coder.require(false, "question")
    }
  }
}

/// What the aggregator answers.
public enum Answer: Archived, Hashable, Sendable {
  case rows(of: BatchID, after: UInt64, [NumberedRow])
  /// The batch was closed, and all its rows have been sent.
  case complete(BatchID, rows: UInt64)
  case storedRows(after: RowPlace, StoredRows)

  init() { self = .storedRows(after: .first, StoredRows()) }

  mutating func code(_ coder: inout some Coder) {
    var (kind, batch, number): (UInt8, BatchID?, UInt64)
    var (next, rows): (UInt64?, [NumberedRow]) = (nil, [])
    switch self {
    case .rows(let of, let after, let items): (kind, batch, number, rows) = (1, of, after, items)
    case .complete(let of, rows: let count): (kind, batch, number) = (2, of, count)
    case .storedRows(after: let place, let page):
      (kind, batch, number, next, rows) = (3, nil, place.value, page.next?.value, page.items)
    }
    coder.need(1, &kind)
    coder.field(2, &batch)
    coder.field(3, &number)
    coder.field(4, &next)
    coder.field(5, &rows)
    guard coder.isReading else { return }
    switch (kind, batch) {
    case (1, let batch?): self = .rows(of: batch, after: number, rows)
    case (2, let batch?): self = .complete(batch, rows: number)
    case (3, nil):
      self = .storedRows(after: RowPlace(number), StoredRows(rows, next: next.map { RowPlace($0) }))
    default: coder.require(false, "answer")
    }
  }
}
