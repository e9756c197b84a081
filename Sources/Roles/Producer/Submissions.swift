package import Pipeline
import Scheduling

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
