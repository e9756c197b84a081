import Pipeline
import SQLite

/// The first lease of a job, and which change of the transaction grants it.
struct FirstLease {
  let place: Int
  let lease: Lease
  let worker: WorkerID
}

/// Applies the changes of one transaction, and writes what they have in common once at its end.
final class Commit {
  let store: LedgerStore
  let now: Moment
  /// How many jobs are in which state.
  private(set) var counts: JobCounts
  private(set) var lastToken: LeaseToken
  private var batches: [BatchID: LedgerBatch] = [:]
  private var changedBatches: Set<BatchID> = []
  /// How often a batch without jobs was cancelled or closed.
  private(set) var jobless = 0
  private var made = ChangesMade()
  /// Rows that were appended, by batch; nil when one was deleted.
  var rows: [BatchID: [NumberedRow]]? = [:]
  /// Leases with which the transaction's first change of a job begins: when it comes in with them, it is inserted as leased.
  private(set) var firstLeases: [JobID: FirstLease] = [:]
  /// Who submitted something else than a batch has, and the batches.
  var refused: [Address: Set<BatchID>] = [:]

  init(store: LedgerStore, now: Moment) {
    self.store = store
    self.now = now
    (counts, lastToken) = (store.summary.jobs, store.owner.lastToken)
  }

  func apply(_ changes: Changes) throws(SQLiteError) -> ChangesMade {
    made.jobs = Array(repeating: false, count: changes.jobs.count)
    noteFirstLeases(in: changes)
    for submission in changes.submissions { made.submissions.append(try take(submission)) }
    for (place, change) in changes.jobs.enumerated() where !made.jobs[place] {
      made.jobs[place] = try apply(change)
    }
    for change in changes.batches { made.batches.append(try apply(change)) }
    for worker in changes.seen { try saw(worker) }
    for batch in changed { try store.write(batch, changedAt: now) }
    if lastToken > store.owner.lastToken {
      try store.statements[.owner.raiseToken].run(.integer(lastToken.stored))
    }
    return made
  }

  private func noteFirstLeases(in changes: Changes) {
    guard !changes.submissions.isEmpty else { return }
    var changed: Set<JobID> = []
    for (place, change) in changes.jobs.enumerated() where changed.insert(change.job).inserted {
      guard case .granted(let lease, to: let worker) = change.event, lease.attempt == 1 else { continue }
      firstLeases[change.job] = FirstLease(place: place, lease: lease, worker: worker)
    }
  }

  /// A job was inserted with its lease.
  func begins(_ first: FirstLease) {
    made.jobs[first.place] = true
    raise(first.lease.token)
    move(from: .ready, to: .leased)
  }

  private func apply(_ change: BatchChange) throws(SQLiteError) -> BatchAnswer {
    if case .pause(let scope, let pause, let moment) = change, scope.batch == nil {
      return try set(pause, of: scope, dueBy: moment)
    }
    guard let id = change.batch, let before = try batch(id, makes: change.makesBatch) else { return .stale }
    var after = before
    let answer = after.take(change)
    if after != before { keep(after, insteadOf: before) }
    return answer
  }

  /// The batches that were touched, in the order in which they came.
  var changed: [LedgerBatch] {
    changedBatches.compactMap { batches[$0] }.sorted { $0.serial < $1.serial }
  }

  /// Counts a job that changed its state.
  func move(from old: JobPhase?, to new: JobPhase) {
    if let old { counts.add(-1, in: old) }
    counts.add(1, in: new)
  }

  func raise(_ token: LeaseToken) { lastToken = max(lastToken, token) }

  /// Of a host, or of everything.
  private func set(
    _ pause: Pause?, of scope: PauseScope, dueBy moment: Moment?
  ) throws(SQLiteError) -> BatchAnswer {
    let host = if case .host(let name) = scope { name } else { LedgerStore.nameOfAll }
    let before = try store.statements[.batches.pauseOf].first(.text(host)) { Pause($0, at: 0) } ?? nil
    var after = before
    let answer = after.become(pause, dueBy: moment)
    guard after != before else { return answer }
    if let after {
      try store.statements[.batches.pause].run([.text(host)] + Pause.values(after))
    } else {
      try store.statements[.batches.unpause].run(.text(host))
    }
    return answer
  }

  /// Others are dropped only when the table grows.
  private func saw(_ worker: WorkerID) throws(SQLiteError) {
    guard try store.statements[.owner.sawAgain].run(worker.uuid.stored, .moment(now)) == 0 else { return }
    try store.statements[.owner.sawFirst].run(worker.uuid.stored, .moment(now))
    try store.statements[.owner.dropUnseen].run()
  }

  func change<Answer>(
    _ id: BatchID, _ body: (inout LedgerBatch) throws(SQLiteError) -> Answer
  ) throws(SQLiteError) -> Answer {
    guard var batch = try batch(id) else { throw .damaged("batch \(id) is missing") }
    let answer = try body(&batch)
    batches[id] = batch
    changedBatches.insert(id)
    return answer
  }

  func keep(_ batch: LedgerBatch, insteadOf before: LedgerBatch) {
    if batch.isJobless, batch != before { jobless += 1 }
    batches[batch.id] = batch
    changedBatches.insert(batch.id)
  }

  /// - Parameter makes: It is made when it is new.
  func batch(_ id: BatchID, makes: Bool = false) throws(SQLiteError) -> LedgerBatch? {
    if let known = batches[id] { return known }
    var found = try store.batch(id)
    if found == nil, makes {
      try store.statements[.batches.insert].run(id.uuid.stored, .moment(now))
      found = try store.batch(id)
    }
    batches[id] = found
    return found
  }
}
