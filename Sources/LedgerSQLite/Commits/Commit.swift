import Pipeline
import SQLite

/// Applies the changes of one transaction, and writes what they have in common once at its end.
final class Commit {
  /// How many jobs more are in which state.
  var moved = JobCounts()

  let store: LedgerStore
  let now: Moment
  private var serials: [BatchID: Int64] = [:]
  private var batches: [Int64: BatchRow] = [:]
  private var changedBatches: Set<Int64> = []
  private var changedTerms: Set<Int64> = []
  private(set) var lastToken: LeaseToken
  /// How often a batch without jobs was cancelled or closed.
  private(set) var jobless = 0
  /// Who submitted something else than a batch has, and the batches.
  var refused: [Address: Set<BatchID>] = [:]

  init(store: LedgerStore, now: Moment) {
    self.store = store
    self.now = now
    lastToken = store.owner.lastToken
  }

  func apply(_ changes: Changes) throws(SQLiteError) -> ChangesMade {
    var made = ChangesMade()
    made.jobs.reserveCapacity(changes.jobs.count)
    for submission in changes.submissions { made.submissions.append(try take(submission)) }
    for change in changes.jobs { made.jobs.append(try apply(change)) }
    for change in changes.batches { made.batches.append(try apply(change)) }
    for worker in changes.seen { try saw(worker) }
    try finish()
    return made
  }

  private func apply(_ change: BatchChange) throws(SQLiteError) -> BatchAnswer {
    if case .pause(let scope, let pause, let moment) = change, scope.batch == nil {
      return try set(pause, of: scope, dueBy: moment)
    }
    guard let id = change.batch,
      let serial = change.makesBatch ? try serial(of: id) : try knownSerial(of: id),
      var batch = batches[serial]
    else { return .stale }
    let before = batch.counters
    let answer = batch.counters.take(change)
    noteChange(of: batch, from: before)
    if batch.counters != before { try self.change(serial) { $0 = batch } }
    return answer
  }

  /// Says what more is to be written of a batch than its counters.
  func noteChange(of batch: BatchRow, from before: BatchCounters) {
    let now = batch.counters
    if now.terms != before.terms || now.pause != before.pause { changedTerms.insert(batch.serial) }
    if now.isJobless, now != before { jobless += 1 }
  }

  /// The batches that were touched, with the ids of those that were asked for by it.
  var changes: [(row: BatchRow, id: BatchID?)] {
    let ids = Dictionary(serials.map { ($0.value, $0.key) }) { $1 }
    return changedBatches.sorted().compactMap { serial in batches[serial].map { ($0, ids[serial]) } }
  }

  /// Writes the counters of the batches that were touched, and the last token.
  private func finish() throws(SQLiteError) {
    for serial in changedBatches {
      guard let batch = batches[serial] else { continue }
      try store.write(batch, changedAt: now)
      if changedTerms.contains(serial) { try store.writeTerms(of: batch) }
    }
    guard lastToken > store.owner.lastToken else { return }
    try store.statements[.owner.raiseToken].run(.integer(lastToken.stored))
  }

  /// Counts a job that changed its state.
  func move(from old: JobPhase, to new: JobPhase) {
    moved.add(-1, in: old)
    moved.add(1, in: new)
  }

  func raise(_ token: LeaseToken) { lastToken = max(lastToken, token) }

  /// Of a host, or of everything.
  private func set(
    _ pause: Pause?, of scope: PauseScope, dueBy moment: Moment?
  ) throws(SQLiteError) -> BatchAnswer {
    let host = if case .host(let name) = scope { name } else { LedgerStore.nameOfAll }
    let before = try store.pause(ofHost: host)
    var after = before
    let answer = after.become(pause, dueBy: moment)
    if after != before { try store.set(after, ofHost: host) }
    return answer
  }

  /// Others are dropped only when the table grows.
  private func saw(_ worker: WorkerID) throws(SQLiteError) {
    let (id, moment) = (worker.uuid.stored, Value.integer(now.unixMilliseconds))
    guard try store.statements[.workers.sawAgain].run(id, moment) == 0 else { return }
    try store.statements[.workers.sawFirst].run(id, moment)
    try store.statements[.workers.dropUnseen].run()
  }

  func change<Answer>(
    _ serial: Int64, _ body: (inout BatchRow) throws(SQLiteError) -> Answer
  ) throws(SQLiteError) -> Answer {
    if batches[serial] == nil {
      batches[serial] =
        try store.statements[.batches.bySerial].first(.integer(serial)) { BatchRow($0) } ?? nil
    }
    guard var batch = batches[serial] else { throw .damaged("batch \(serial) is missing") }
    let answer = try body(&batch)
    batches[serial] = batch
    changedBatches.insert(serial)
    return answer
  }

  /// Makes the batch when it is new.
  func serial(of id: BatchID) throws(SQLiteError) -> Int64 {
    if let known = try knownSerial(of: id) { return known }
    try store.statements[.batches.insert].run(id.uuid.stored, .integer(now.unixMilliseconds))
    guard let made = try knownSerial(of: id) else { throw .damaged("batch \(id) is missing") }
    return made
  }

  func knownSerial(of id: BatchID) throws(SQLiteError) -> Int64? {
    if let serial = serials[id] { return serial }
    guard let batch = try store.batch(id) else { return nil }
    serials[id] = batch.serial
    if batches[batch.serial] == nil { batches[batch.serial] = batch }
    return batch.serial
  }
}
