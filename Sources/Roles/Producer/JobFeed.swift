package import Pipeline

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
  /// Set when the input could not be read as a job.
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
