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

/// What clients may ask of the aggregator. Each question is safe to repeat, and is asked again until it is answered.
public struct Query: Hashable, Sendable {
  public enum Question: Hashable, Sendable {
    /// Rows after `confirmed`, and no row beyond `limit`. Rows up to `confirmed` have arrived safely.
    case rows(of: BatchID, confirmed: UInt64, limit: UInt64)
    /// Rows after `after`, and no row beyond `limit`; they stay there for others, and for another time.
    case copies(of: BatchID, after: UInt64, limit: UInt64)
    case status
    /// How far a batch is.
    case progress(of: BatchID)
    /// Tries dead letters once more, from the start; of all kinds of failures when none is named.
    case requeue(JobChoice, of: Set<FailureKind> = [])
    /// Ends jobs that are not over, each with its row. Of a whole batch, also those that are still to be submitted.
    case cancel(JobChoice, cause: String)
    /// What became of a job.
    case job(JobID)
    /// Jobs of all batches, a page of them. The answer is for the question of this id.
    case jobs(JobListing)
    /// Has something done with the ledger; the same question tells later how far it is.
    ///
    /// `isUnderWay` says that there was an answer. An aggregator that knows nothing of it has started since, and does not
    /// begin anew.
    case care(LedgerTask, isUnderWay: Bool)
    /// Rows of all batches, or of one, from the place after `after`; a page of them.
    case storedRows(of: BatchID?, after: RowPlace)
    /// Has a worker finish what it has and end.
    case drain(WorkerID)
    /// With which options the fleet's fetchers fetch.
    case fetchOptions
    /// Has `up` run so many workers of a role; the aggregator does not answer this.
    case scale(Role, to: UInt32)
    /// Starts no more jobs there. The aggregator says since when; another pause takes the place of the one before.
    case pause(PauseScope, Pause)
    /// Starts jobs there again.
    case resume(PauseScope)
    /// Batches, a page of them.
    case batches(BatchSearch)
    /// The batch has these terms from now on, as far as they say something.
    case change(BatchID, BatchTerms)
  }

  public var replyTo: Address
  public var question: Question
  /// By the aggregator's clock: what asks for a change and has not begun by then is dropped. nil for ever.
  public var deadline: Moment?
  /// Tells two wishes for the same change apart, and their answers.
  public var id: UUIDv7?
  /// How many workers `up` keeps running, which it says whenever it asks for the status.
  public var fleetSize: FleetSize?

  public init(replyTo: Address, _ question: Question, deadline: Moment? = nil, id: UUIDv7? = nil) {
    self.replyTo = replyTo
    self.question = question
    self.deadline = deadline
    self.id = id
  }
}

/// Which jobs a client wants to see.
public struct JobListing: Hashable, Sendable {
  public var search: JobSearch
  /// As a user writes it; the aggregator looks for those that are fetched at the same address. nil for all.
  public var link: String?

  public init(_ search: JobSearch, link: String? = nil) {
    self.search = search
    self.link = link
  }
}

/// Which jobs an order is about: those that match all that is given.
public struct JobChoice: Hashable, Sendable {
  public var batch: BatchID?
  public var job: JobID?
  /// As jobs wait for it.
  public var host: String?
  /// Jobs that were submitted at this moment or later.
  public var since: Moment?

  public init(_ batch: BatchID? = nil, job: JobID? = nil, host: String? = nil, since: Moment? = nil) {
    (self.batch, self.job, self.host, self.since) = (batch, job, host, since)
  }

  /// A batch with all that belongs to it, jobs to come too.
  public var wholeBatch: BatchID? { job == nil && host == nil && since == nil ? batch : nil }

  /// No order is about all jobs of a fleet.
  public var isEmpty: Bool { self == JobChoice() }
}

/// How many workers of each role `up` keeps running.
public struct FleetSize: Hashable, Sendable {
  public var fetchers: UInt32
  public var decoders: UInt32

  public init(fetchers: UInt32, decoders: UInt32) {
    (self.fetchers, self.decoders) = (fetchers, decoders)
  }
}

/// What the aggregator answers.
public enum Answer: Hashable, Sendable {
  case rows(of: BatchID, after: UInt64, [NumberedRow])
  /// The batch was closed, and all its rows have been sent.
  case complete(BatchID, rows: UInt64)
  /// One JSON object, UTF-8, one line, of the schema `halyard.status/1`.
  case status([UInt8])
  /// nil when there is no such batch. `at` is the time by the aggregator's clock.
  case progress(of: BatchID, BatchProgress?, at: Moment)
  /// So many dead letters are tried once more.
  case requeued(jobs: UInt64, to: UUIDv7? = nil)
  /// So many jobs are cancelled, or about to be, that were not before.
  case cancelled(jobs: UInt64, to: UUIDv7? = nil)
  /// One JSON object, UTF-8, one line, of the schema `halyard.job/1`; nil when there is no such job.
  case job(JobID, [UInt8]?)
  /// JSON objects, UTF-8, each one line. `next` is where the next page begins; nil when there is none.
  case jobs([UInt8], next: JobSearch.Place?, to: UUIDv7?)
  /// How the ledger is, or how far what is done with it: one JSON object, UTF-8, one line, of the schema
  /// `halyard.ledger/1`.
  case care([UInt8], to: UUIDv7? = nil)
  case storedRows(after: RowPlace, StoredRows)
  /// What became of the wish to drain a worker.
  case drained(WorkerID, DrainOutcome, to: UUIDv7? = nil)
  /// nil when the fleet was given none, so that each fetcher brings its own.
  case fetchOptions(FetchOptions?)
  /// `up` runs so many workers of a role from now on.
  case scaled(Role, to: UInt32)
  /// It is paused or not from now on, and whether it was different before.
  case pausing(PauseScope, isPaused: Bool, wasChanged: Bool, to: UUIDv7? = nil)
  /// JSON objects, UTF-8, each one line. `next` is where the next page begins; nil when there is none.
  case batches([UInt8], next: Int64?, to: UUIDv7?)
  /// The batch has other terms; false when it is unknown.
  case changed(BatchID, isKnown: Bool, to: UUIDv7? = nil)
}

/// What became of the wish to drain a worker.
public enum DrainOutcome: Hashable, Sendable {
  /// It takes nothing new, and ends when it has finished so many jobs.
  case leaving(jobs: UInt32)
  /// There is no such worker, or none any more.
  case gone
}
