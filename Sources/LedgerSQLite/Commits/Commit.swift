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
  private var greatestToken: LeaseToken?
  /// How often a batch without jobs was cancelled or closed.
  private(set) var jobless = 0
  /// Who submitted something else than a batch has, and the batches.
  var refused: [Address: Set<BatchID>] = [:]

  init(store: LedgerStore, now: Moment) {
    self.store = store
    self.now = now
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
    switch change {
    case .terms(let id, let terms):
      _ = try changeTerms(of: id) { $0.counters.take(terms, from: nil, ofJobs: nil) }
      return try knownSerial(of: id) == nil ? .stale : .applied
    case .pause(let scope, let pause): return try set(pause, of: scope)
    case .unpause(let scope, let moment): return try set(nil, of: scope, dueBy: moment)
    case .cancel(let id, let cancellation):
      return .cancelled(jobs: try changeMaybeJobless(id) { $0.counters.cancel(cancellation) })
    case .resume(let id): return try changeKnown(id) { $0.counters.resume() }
    case .abandon(let id): return try changeKnown(id) { $0.counters.abandon() }
    case .confirmRows(let id, let number): return try changeKnown(id) { $0.counters.confirm(upTo: number) }
    }
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
    guard let greatestToken, try store.lastToken() < greatestToken else { return }
    try store.statements[.batches.raiseToken].run(.integer(greatestToken.stored))
  }

  /// Counts a job that changed its state.
  func move(from old: JobPhase, to new: JobPhase) {
    moved.add(-1, in: old)
    moved.add(1, in: new)
  }

  func raise(_ token: LeaseToken) { greatestToken = max(greatestToken ?? token, token) }

  private func set(
    _ pause: Pause?, of scope: PauseScope, dueBy moment: Moment? = nil
  ) throws(SQLiteError) -> BatchAnswer {
    let host: String
    switch scope {
    case .batch(let id):
      var known: Pause?
      let answer = try changeTerms(of: id) { batch in
        known = batch.pause
        guard Pause.mayBecome(pause, insteadOf: known, dueBy: moment) else { return false }
        batch.set(pause)
        return true
      }
      return answer == .applied && (known == nil) == (pause != nil) ? .applied : .stale
    case .host(let name): host = name
    case .all: host = LedgerStore.nameOfAll
    }
    let known = try store.pause(ofHost: host)
    guard Pause.mayBecome(pause, insteadOf: known, dueBy: moment) else { return .stale }
    try store.set(pause, ofHost: host)
    return (known == nil) == (pause != nil) ? .applied : .stale
  }

  func changeTerms(
    of id: BatchID, _ body: (inout BatchRow) -> Bool
  ) throws(SQLiteError) -> BatchAnswer {
    let answer = try changeKnown(id, body)
    if answer == .applied, let serial = try knownSerial(of: id) { changedTerms.insert(serial) }
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
  func changeMaybeJobless<Answer>(
    _ id: BatchID, _ body: (inout BatchRow) -> Answer
  ) throws(SQLiteError) -> Answer {
    try change(try serial(of: id)) { batch in
      defer { jobless += batch.counters.hasHadJobs ? 0 : 1 }
      return body(&batch)
    }
  }

  private func changeKnown(
    _ id: BatchID, _ body: (inout BatchRow) -> Bool
  ) throws(SQLiteError) -> BatchAnswer {
    guard let serial = try knownSerial(of: id), var batch = batches[serial], body(&batch) else {
      return .stale
    }
    try change(serial) { $0 = batch }
    return .applied
  }

  /// Makes the batch when it is new.
  func serial(of id: BatchID) throws(SQLiteError) -> Int64 {
    if let known = try knownSerial(of: id) { return known }
    try store.statements[.batches.insert].run(id.uuid.stored, .integer(now.unixMilliseconds))
    guard let made = try knownSerial(of: id) else { throw .damaged("batch \(id) is missing") }
    return made
  }

  func known(_ id: BatchID) throws(SQLiteError) -> BatchRow? {
    try knownSerial(of: id).flatMap { batches[$0] }
  }

  func knownSerial(of id: BatchID) throws(SQLiteError) -> Int64? {
    if let serial = serials[id] { return serial }
    guard let batch = try store.batch(id) else { return nil }
    serials[id] = batch.serial
    if batches[batch.serial] == nil { batches[batch.serial] = batch }
    return batch.serial
  }
}
