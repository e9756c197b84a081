/// Jobs for a batch. Ids derive from batch and ordinal, so a repeated message changes nothing.
public struct Submit: Hashable, Sendable {
  public var batch: BatchID
  /// Counts the messages of this batch from 0.
  public var sequence: UInt32
  public var replyTo: Address
  public var jobs: [Job]
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
}

/// Says that a submission is committed, or never will be.
public struct Receipt: Hashable, Sendable {
  public var batch: BatchID
  public var sequence: UInt32
  /// Jobs that were new.
  public var inserted: UInt32
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
}

/// A finished row with its number in its batch, from 1, in the order of completion.
public struct NumberedRow: Hashable, Sendable {
  public var number: UInt64
  /// Its job's place in the batch.
  public var ordinal: UInt64
  /// The row's outcome, so that it can be counted without parsing; nil is ok.
  public var failure: FailureKind?
  public var json: [UInt8]

  public init(number: UInt64, ordinal: UInt64, failure: FailureKind?, json: [UInt8]) {
    self.number = number
    self.ordinal = ordinal
    self.failure = failure
    self.json = json
  }
}

/// What is asked all the time, or brings much: rows. All else travels as an `Ask`. Each is safe to repeat, and is asked
/// again until it is answered.
public struct Query: Hashable, Sendable {
  public enum Question: Hashable, Sendable {
    /// Rows after `confirmed`, and no row beyond `limit`. Rows up to `confirmed` have arrived safely.
    case rows(of: BatchID, confirmed: UInt64, limit: UInt64)
    /// Rows after `after`, and no row beyond `limit`; they stay there for others, and for another time.
    case copies(of: BatchID, after: UInt64, limit: UInt64)
    /// Rows of all batches, or of one, from the place after `after`; a page of them.
    case storedRows(of: BatchID?, after: RowPlace)
  }

  public var replyTo: Address
  public var question: Question

  public init(replyTo: Address, _ question: Question) {
    self.replyTo = replyTo
    self.question = question
  }
}

/// What the aggregator answers.
public enum Answer: Hashable, Sendable {
  case rows(of: BatchID, after: UInt64, [NumberedRow])
  /// The batch was closed, and all its rows have been sent.
  case complete(BatchID, rows: UInt64)
  case storedRows(after: RowPlace, StoredRows)
}
