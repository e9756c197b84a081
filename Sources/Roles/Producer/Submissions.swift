package import Pipeline

/// What a producer has submitted of its batch, and which messages have no receipt yet. A pure value.
struct Submissions {
  private let batch: BatchID
  private let replyTo: Address
  private let terms: BatchTerms?
  private var sequence: UInt32 = 0
  private var unreceipted: [UInt32: (submit: Submit, sentAt: Moment)] = [:]
  private var hasReceipt = false
  /// When the last message was made.
  private var madeAt: Moment?
  /// Jobs that were submitted, known ones included.
  private(set) var submitted: UInt64 = 0
  /// Those of them that the aggregator says it has.
  private(set) var confirmed: UInt64 = 0
  /// Those of them that the ledger did not have.
  private(set) var inserted: UInt64 = 0

  init(batch: BatchID, replyTo: Address, terms: BatchTerms? = nil) {
    self.batch = batch
    self.replyTo = replyTo
    self.terms = terms
  }

  var areReceipted: Bool { unreceipted.isEmpty }

  /// The first receipt says that the batch is this list's, so until then there is one message only.
  var mayGrow: Bool { unreceipted.count < (hasReceipt ? ProducerSettings.unreceipted : 1) }

  /// The messages for further jobs. The last one is made also without any job: its receipt makes way for rows that wait
  /// for this part of the input.
  mutating func add(_ drafts: [JobDraft], deadline: Moment?, at now: Moment) -> [Submit] {
    var messages: [Submit] = []
    var jobs: [Job] = []
    jobs.reserveCapacity(drafts.count)
    var bytes = 0
    for draft in drafts {
      if !draft.isKnown {
        if bytes > ProducerSettings.messageBytes {
          messages.append(message(jobs, at: now))
          jobs = []
          bytes = 0
        }
        let own = draft.deadlineMilliseconds.map { now.advanced(byMilliseconds: $0) }
        let job = draft.job(of: batch, ordinal: submitted, deadline: own ?? deadline).bounded
        bytes += job.textBytes
        jobs.append(job)
      }
      submitted += 1
    }
    messages.append(message(jobs, at: now))
    return messages
  }

  /// A message that says how many jobs the batch has.
  mutating func end(at now: Moment) -> Submit { message([], total: submitted, at: now) }

  /// A message without jobs, by which the aggregator sees that the producer lives.
  mutating func lifeSign(at now: Moment) -> Submit { message([], at: now) }

  /// The terms stand in the first message. They stand in the last one too if the batch had some of the jobs before: only then it
  /// is known that this is its list.
  private mutating func message(_ jobs: [Job], total: UInt64? = nil, at now: Moment) -> Submit {
    let tellsTerms = sequence == 0 || total != nil && inserted < submitted
    let submit = Submit(
      batch: batch, sequence: sequence, replyTo: replyTo, jobs: jobs, total: total,
      terms: tellsTerms ? terms : nil)
    unreceipted[sequence] = (submit, now)
    madeAt = now
    sequence += 1
    return submit
  }

  /// The message that closes the batch has its receipt last: a batch that is given up before the jobs of others come is
  /// open again with these, and is closed by sending that message once more.
  ///
  /// - Returns: False when the message had its receipt before, or waits for those of others.
  mutating func took(_ receipt: Receipt) -> Bool {
    guard let entry = unreceipted[receipt.sequence] else { return false }
    if entry.submit.total != nil, receipt.differing == nil, unreceipted.count > 1 { return false }
    unreceipted[receipt.sequence] = nil
    hasReceipt = true
    if receipt.differing == nil { confirmed += UInt64(entry.submit.jobs.count) }
    inserted += UInt64(receipt.inserted)
    return true
  }

  /// No receipt is waited for any more.
  mutating func giveUp() { unreceipted = [:] }

  /// Whether the last message is so old that the aggregator may think the producer is gone.
  func needsLifeSign(at now: Moment) -> Bool {
    guard unreceipted.isEmpty else { return false }
    return madeAt.map { now.milliseconds(since: $0) >= ProducerSettings.lifeSignMilliseconds } ?? true
  }

  /// Messages that have waited for their receipts for long; they count as sent now.
  mutating func repeated(at now: Moment) -> [Submit] {
    let due = now.advanced(byMilliseconds: -Heartbeat.resendMilliseconds)
    let late = unreceipted.inOrder.filter { $0.value.sentAt <= due }
    for (sequence, _) in late { unreceipted[sequence]?.sentAt = now }
    return late.map(\.value.submit)
  }
}

extension Failure {
  /// Jobs that a ledger confirmed are not there any more.
  static func lost(_ batch: BatchID, _ cause: String) -> Failure {
    Failure(
      .underlying, at: .queue,
      "batch \(batch): \(cause) put in place of the fleet's ledger: jobs and rows of it may be missing; begin again with the"
        + " same list")
  }
}

/// The aggregator will not take what was submitted, however often it is sent.
package struct SubmissionRefused: Error, Hashable, Sendable {
  package var failure: Failure
}

/// How many jobs may be under way between a producer's input and its output.
///
/// Rows wait in memory when their reader is slow. How large they are is not known before, so the window starts
/// small and widens with every row that was written; large rows make it narrow again.
struct SubmissionWindow {
  /// What waiting rows may take, judged by the rows so far.
  static let budgetBytes = 64 << 20

  private let most: Int
  private let start: Int
  private var written = 0
  private var typicalRowBytes = 0

  /// - Parameters:
  ///   - start: As many as can be under way at once, so that no worker is idle.
  init(start: Int, most: Int) {
    self.start = start
    self.most = most
  }

  var size: Int {
    max(1, min(most, start + written, Self.budgetBytes / max(1, typicalRowBytes)))
  }

  /// Follows the largest rows at once, and forgets them slowly.
  mutating func arrived(rowOfBytes bytes: Int) {
    typicalRowBytes = max(bytes, typicalRowBytes - typicalRowBytes / 64)
  }

  mutating func wrote(rows: Int) {
    written = min(most, written + rows)
  }
}

/// Where a producer's jobs come from. It is asked from one task only.
package protocol JobFeed: Sendable {
  /// Up to `limit` jobs, in order; nil at the end. Suspends while there are none yet; ends early when its task
  /// is cancelled.
  func next(atMost limit: Int) async throws -> [JobDraft]?
}

/// A job as the user gave it; the producer adds ids and deadlines.
package struct JobDraft: Hashable, Sendable {
  package var kind: JobKind
  package var input: String?
  package var ref: String?
  package var reading: Reading
  package var kept: [KeptColumn]
  /// Where the link stands, if it is from a document.
  package var origin: LinkOrigin?
  /// Where the job stands in its source, counted from 1; arguments count as lines.
  package var line = 0
  /// Which of several sources the job is from, counted from 0.
  package var source = 0
  /// A relative link in a document whose address is not known; no job is made of it.
  package var isRelative = false
  /// Set when the input could not be read as a job, which still gets its row.
  package var refusal: Failure?
  /// The time for this job in place of the producer's for all.
  package var deadlineMilliseconds: Int64?
  /// The ledger holds this very job from an earlier run: it is counted, and not submitted again.
  package var isKnown = false

  package init(
    kind: JobKind, input: String?, ref: String? = nil, select: String? = nil, require: [String] = [],
    unwraps: Bool = false, kept: [KeptColumn] = [], refusal: Failure? = nil
  ) {
    self.kind = kind
    self.input = input
    self.ref = ref
    reading = Reading(select: select, require: require, unwraps: unwraps)
    self.kept = kept
    self.refusal = refusal
  }
}

extension JobDraft {
  /// The job that this becomes at its place in a batch.
  package func job(of batch: BatchID, ordinal: UInt64, deadline: Moment?) -> Job {
    var job = Job(batch: batch, ordinal: ordinal, kind: kind, input: input)
    job.ref = ref
    job.reading = reading
    job.kept = kept
    job.origin = origin
    job.refusal = refusal
    job.deadline = deadline
    return job
  }
}

/// How a producer submits and collects.
package struct ProducerSettings: Sendable {
  package var batch: BatchID
  /// Rows come out in the order of the input.
  package var isOrdered: Bool
  /// Jobs submitted and not yet written; what a producer holds in memory is bounded by it.
  package var window: Int
  /// How many of them there may be before the first row is written: the transfers that can be under way.
  package var start: Int
  /// Milliseconds a job may take in all, waiting and retries included.
  package var deadlineMilliseconds: Int64?
  /// What is asked of the batch, from its next submission on; nil to leave it as it is.
  package var terms: BatchTerms?
  /// What becomes of jobs that are not over when the run is interrupted: they stay in the ledger for the next run,
  /// or are cancelled, each with its row.
  package var leavesJobsOpen: Bool
  /// Whether it waits for rows; otherwise the run is over when every job has its receipt.
  package var collectsRows = true
  /// How long the aggregator may say nothing at all before it is given up; nil when it cannot be gone.
  package var timeoutMilliseconds: Int64?

  package init(
    batch: BatchID, isOrdered: Bool = false, window: Int? = nil, start: Int = 256,
    deadlineMilliseconds: Int64? = nil, leavesJobsOpen: Bool = false
  ) {
    self.batch = batch
    self.isOrdered = isOrdered
    self.window = window ?? (isOrdered ? 32_768 : 8_192)
    self.start = start
    self.deadlineMilliseconds = deadlineMilliseconds
    self.leavesJobsOpen = leavesJobsOpen
  }

  /// A job that waits for the batch's time does not use up its own.
  func deadline(ofJobsSubmittedAt now: Moment) -> Moment? {
    let start = max(now, terms?.startsAt ?? now)
    let own = deadlineMilliseconds.map { start.advanced(byMilliseconds: $0) }
    return [own, terms?.deadline].compactMap { $0 }.min()
  }

  /// Jobs in one message.
  static let chunk = 256
  /// Text in one message, a job more or less.
  static let messageBytes = 1 << 20
  /// A producer that has nothing to submit says that it lives.
  static let lifeSignMilliseconds: Int64 = 20_000
  /// Messages without a receipt.
  static let unreceipted = 8
}
