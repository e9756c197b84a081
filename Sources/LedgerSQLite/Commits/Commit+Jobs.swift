import Pipeline
import SQLite

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
