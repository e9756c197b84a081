import Pipeline
import Scheduling

/// Dead letters of a batch that get another life, a page in each transaction.
struct Requeueing: Sendable {
  var query: Query
  var batch: BatchID
  /// How they failed; empty for all.
  var kinds: Set<FailureKind>
  var cursor: JobID?
  var jobs: UInt64 = 0
  /// A part of it is committed: the rest follows, also when the client gave up.
  var hasBegun = false
}

extension Aggregator {
  func take(requeueOf batch: BatchID, failed kinds: Set<FailureKind>, _ query: Query) async {
    if requeueing.contains(where: { $0.query == query }) {
      // It takes its time: the waiting client learns that the fleet is at it.
      await tell(progressOf: batch, to: query.replyTo)
    } else {
      requeueing.append(Requeueing(query: query, batch: batch, kinds: kinds))
    }
  }

  func requeueDead(_ transaction: inout Transaction, at now: Moment) async throws {
    requeueing.removeAll { !$0.hasBegun && $0.query.isLate(at: now) }
    guard let first = requeueing.first else { return }
    let (page, wanted) = try await read {
      try await $0.deadJobs(
        of: first.batch, after: first.cursor, limit: Backlog.page, failed: first.kinds)
    }
    transaction.add(requeueOf: wanted, in: page, resuming: first.hasBegun ? nil : first.batch)
  }

  /// A page of it is in the ledger.
  func requeued(_ page: Transaction.RequeuedPage, at now: Moment) {
    guard !requeueing.isEmpty else { return }
    if !requeueing[0].hasBegun {
      interruptions.withdrawn(requeueing[0].batch)
      cancelling.removeAll { $0.id == requeueing[0].batch }
      requeueing[0].hasBegun = true
    }
    // Not from the answers: a commit that seemed to fail can have done it, and then its repetition did nothing.
    requeueing[0].jobs += UInt64(page.events.count)
    requeueing[0].cursor = page.last
    backlog.leftOutSome(at: now)
    // The cancellation that is withdrawn here had removed retries from memory.
    backlog.leftOutRetry(at: now)
    runs.mayWait = true
    sharesAreStale = true
    guard page.isLast else { return }
    let done = requeueing.removeFirst()
    let answer = Answer.requeued(done.batch, jobs: done.jobs, to: done.query.id)
    answered.keep(answer, to: done.query)
    connections.add(.answer(answer), to: done.query.replyTo)
  }
}

extension Query {
  /// The client gave up.
  func isLate(at now: Moment) -> Bool { deadline.map { $0 <= now } ?? false }
}
