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
    if !changes.waits.isEmpty { try store.statements[.owner.dropWaits].run(.moment(now)) }
    for (host, wait) in changes.waits { try note(wait, of: host) }
    for batch in changed { try store.write(batch, changedAt: now) }
    if lastToken > store.owner.lastToken {
      try store.statements[.owner.raiseToken].run(.integer(lastToken.stored))
    } else {
      // A log tells whose it is by this page, which the first commit after each renewal changes.
      try store.writeOwner()
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

  private func note(_ wait: HostWait, of host: String) throws(SQLiteError) {
    switch wait {
    case _ where wait.until <= now: try store.statements[.owner.endWait].run(.text(host))
    case .asked(let moment):
      try store.statements[.owner.wait].run(.text(host), .moment(moment), .null, .null, .null)
    case .givenUp(let verdict):
      try store.statements[.owner.wait].run(
        .text(host), .moment(verdict.until), .text(verdict.kind.rawValue),
        .integer(Int64(verdict.failures)), .integer(verdict.isAskedToWait ? 1 : 0))
    }
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

/// Jobs that come in, and what happens to jobs.
extension Commit {
  /// All of a submission that are new, or none of it.
  func take(_ submission: JobsIn) throws(SQLiteError) -> Insertion {
    var made = Insertion()
    if let sender = submission.sender, refused[sender]?.contains(submission.batch) == true { return made }
    let before = try batch(submission.batch, makes: submission.makesBatch)
    var new: [Job] = []
    for item in submission.jobs {
      if try insert(item, into: before) {
        new.append(item.job)
      } else if try !asks(theSameAs: item.job) {
        made.differing = .sum(made.differing, DifferingJobs(count: 1, first: item.job.ordinal))
      }
    }
    if made.differing != nil {
      for job in new { try store.statements[.jobs.delete].run(job.id.uuid.stored) }
      if let sender = submission.sender { refused[sender, default: []].insert(submission.batch) }
      return made
    }
    made.count = new.count
    for job in new {
      move(from: nil, to: JobPhase(job.firstLife.state))
      if let first = firstLease(of: job) { begins(first) }
    }
    if let before {
      var after = before
      after.take(submission, &made, at: now)
      keep(after, insteadOf: before)
    }
    for end in submission.ends { made.ends.append(try apply(JobChange(end))) }
    return made
  }

  private func firstLease(of job: Job) -> FirstLease? {
    firstLeases.isEmpty || job.firstLife.state != .ready ? nil : firstLeases[job.id]
  }

  /// - Returns: False when there is a job of this id.
  private func insert(_ item: JobsIn.Item, into batch: LedgerBatch?) throws(SQLiteError) -> Bool {
    let job = item.job
    let first = firstLease(of: job)
    let phase = first == nil ? JobPhase(job.firstLife.state) : .leased
    return try store.statements[.jobs.insert].run(
      job.id.uuid.stored, .integer(batch?.serial), .integer(Int64(bitPattern: job.ordinal)),
      .moment(job.deadline), .blob(JobRecord.encode(job)), phase.stored, .text(item.host),
      .integer(job.id.readyBlock), .moment(now), .integer(item.link?.value), .integer(first == nil ? 0 : 1),
      .integer(first?.lease.token.stored), first?.worker.uuid.stored ?? .null,
      .moment(first == nil ? nil : now)) > 0
  }

  /// Whether the ledger's job of this id does.
  private func asks(theSameAs job: Job) throws(SQLiteError) -> Bool {
    let record = try store.statements[.jobs.record].first(job.id.uuid.stored) { $0.blob(at: 0) } ?? nil
    guard let known = record.flatMap({ try? JobRecord.decode($0, of: job.id) }) else {
      throw .damaged("the record of a job cannot be read")
    }
    return known.asks(theSameAs: job)
  }

  /// - Returns: False when it came too late.
  func apply(_ change: JobChange) throws(SQLiteError) -> Bool {
    if try applyAtOnce(change) { return true }
    let id = change.job.uuid.stored
    guard let stored = try store.statements[.jobs.one].first(id, read: { StoredJob($0) }) else {
      return false
    }
    guard let stored else { throw .damaged("job \(change.job) cannot be read") }
    var state = stored.state
    let before = JobPhase(state.life.state)
    guard let effect = state.take(change.event, kind: stored.kind, at: now) else { return false }
    let place = try note(effect, of: change.job, stored)
    try write(state, of: id, rowAt: place)
    move(from: before, to: JobPhase(state.life.state))
    if case .granted(let lease, to: _) = change.event { raise(lease.token) }
    return true
  }

  /// What nearly all jobs go through costs one statement each: they start ready, and end under the lease that they have. Its
  /// condition is that of `JobLife`; when it does not hold, that decides.
  private func applyAtOnce(_ change: JobChange) throws(SQLiteError) -> Bool {
    let id = change.job.uuid.stored
    switch change.event {
    case .granted(let lease, to: let worker):
      let changed = try store.statements[.jobs.grant].run(
        id, .integer(lease.token.stored), .integer(Int64(lease.attempt)), worker.uuid.stored, .moment(now))
      guard changed > 0 else { return false }
      raise(lease.token)
      move(from: .ready, to: .leased)
      return true
    case .ended(let settlement):
      let end = JobPhase(.over(settlement.end))
      guard let lease = settlement.lease,
        let place = try batch(settlement.batch)?.nextPlace,
        try store.statements[.jobs.end].run(
          id, end.stored, .integer(lease.token.stored), .moment(now), .integer(place)) > 0
      else { return false }
      move(from: .leased, to: end)
      try append(settlement)
      return true
    case .failedForNow, .becameDue, .returned, .crashed, .absolved, .requeued: return false
    }
  }

  private func write(_ state: JobState, of id: Value, rowAt place: Int64?) throws(SQLiteError) {
    var (token, runAt) = (nil as Int64?, nil as Moment?)
    switch state.life.state {
    case .leased(let known): token = known.stored
    case .scheduled(let moment): runAt = moment
    case .waiting, .ready, .over: break
    }
    try store.statements[.jobs.change].run(
      id, JobPhase(state.life.state).stored, .integer(Int64(state.life.attempts)),
      .integer(Int64(state.life.crashes)), .integer(token), .moment(runAt),
      state.worker?.uuid.stored ?? .null,
      .moment(state.grantedAt), .moment(state.endedAt), .moment(state.deadline), .integer(place))
  }

  /// - Returns: Where the row of the job stands; nil while it has none.
  private func note(
    _ effect: JobState.Effect, of job: JobID, _ stored: StoredJob
  ) throws(SQLiteError) -> Int64? {
    let id = job.uuid.stored
    switch effect {
    case .nothing: break
    case .attempted(let attempt):
      try store.statements[.results.insertCause].run(
        id, .integer(Int64(attempt.attempt)), .moment(attempt.endedAt),
        .blob(attempt.failure.map(FailureRecord.encode) ?? []), attempt.worker?.uuid.stored ?? .null,
        .moment(attempt.grantedAt), .moment(attempt.nextAt))
      try store.statements[.results.trimCauses].run(id, .integer(Int64(PastAttempt.mostKept)))
    case .forgetsDeath: try store.statements[.results.deleteDeath].run(id)
    case .over(let settlement): return try append(settlement)
    case .anew:
      rows = nil
      try store.statements[.results.delete].run(id)
      try store.statements[.results.deleteCauses].run(id)
      try change(try stored.known().job.batch) { $0.requeue() }
    }
    return nil
  }

  @discardableResult
  private func append(_ settlement: Settlement) throws(SQLiteError) -> Int64 {
    let (number, place) = try change(settlement.batch) { (batch) throws(SQLiteError) in
      let number = try batch.appendRow(of: settlement.end)
      return (number, batch.place(of: number))
    }
    rows?[settlement.batch, default: []].append(
      NumberedRow(
        number: number, ordinal: settlement.ordinal, failure: settlement.failure, json: settlement.row))
    try store.statements[.results.insert].run(
      .integer(place), settlement.job.uuid.stored, .integer(Int64(bitPattern: settlement.ordinal)),
      .text(settlement.failure?.rawValue), .blob(settlement.row))
    return place
  }
}
