import Pipeline
import SQLite

/// Deletes batches that are no longer needed.
extension LedgerStore {
  private typealias OldRow = (place: RowPlace, job: Value, end: JobLife.End)

  func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int
  ) throws(SQLiteError) -> ForgettingStep {
    let choice = rule.choice
    let place = place ?? .first
    if choice.onlyCounts { return try forget(rule, before: moment, from: place, limit: limit).step }
    let (step, left) = try transaction { () throws(SQLiteError) in
      let (step, dead) = try forget(rule, before: moment, from: place, limit: limit)
      var jobs = summary.jobs
      jobs.dead -= dead
      return (step, try statements.summary(batches: Self.mostNewest, of: jobs))
    }
    forgot(left)
    return step
  }

  /// A batch without rows counts as a row, so that no step is long.
  private func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace, limit: Int
  ) throws(SQLiteError) -> (step: ForgettingStep, dead: Int) {
    var (place, room, dead) = (place, limit, 0)
    var step = ForgettingStep(jobs: 0, next: nil)
    while room > 0 {
      guard let batch = try oldest(rule, before: moment, from: place) else {
        step.next = nil
        return (step, dead)
      }
      let rows = try rows(of: batch, from: place, limit: room)
      let isThrough = rows.count < room
      let ends = try forget(rows, rule.choice)
      if !rule.choice.onlyCounts, !ends.isEmpty || rule.choice.end == nil {
        let isGone = try shrink(batch, by: ends, isEmpty: isThrough && rule.choice.end == nil)
        if isGone { step.gone.append(batch) }
      }
      step.jobs += ends.count
      dead += ends.count { $0 == .dead }
      room -= max(1, rows.count)
      place =
        isThrough
        ? RowPlace(serial: batch.serial + 1, number: 0)
        : RowPlace((rows.last?.place.value ?? place.value) + 1)
    }
    step.next = place
    return (step, dead)
  }

  private func oldest(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace
  ) throws(SQLiteError) -> LedgerBatch? {
    try batches(
      by: SQL.upkeep.oldBatch, .moment(moment), .moment(rule.unreadLimit(moment)),
      .integer(rule.wantsPassing.map { $0 ? 1 : 0 }), .integer(place.serial),
      rule.choice.batch?.uuid.stored ?? .null, .moment(rule.callsLimit(moment))
    ).first
  }

  private func rows(
    of batch: LedgerBatch, from place: RowPlace, limit: Int
  ) throws(SQLiteError) -> [OldRow] {
    let first = max(place, RowPlace(serial: batch.serial, number: 1))
    return try statements[.upkeep.oldRows].all(
      .integer(Int64(bitPattern: first.value)), .integer(batch.place(of: Job.mostInBatch)),
      .integer(Int64(limit))
    ) { row -> OldRow? in
      guard let place = row.integer(at: 0), let job = row.blob(at: 1),
        case .over(let end)? = JobPhase(stored: row.integer(at: 2))?.life(token: nil, runAt: nil)
      else { return nil }
      return (RowPlace(UInt64(bitPattern: place)), .blob(job), end)
    }.sound("a row belongs to no job")
  }

  /// - Returns: How each of those that were chosen had ended.
  private func forget(_ rows: [OldRow], _ choice: ForgettingChoice) throws(SQLiteError) -> [JobLife.End] {
    var ends: [JobLife.End] = []
    for (_, job, end) in rows where choice.end ?? end == end {
      ends.append(end)
      if choice.onlyCounts { continue }
      try statements[.results.deleteCauses].run(job)
      try statements[.results.delete].run(job)
      try statements[.jobs.delete].run(job)
    }
    return ends
  }

  /// - Returns: Whether nothing is left of it.
  private func shrink(
    _ batch: LedgerBatch, by ends: [JobLife.End], isEmpty: Bool
  ) throws(SQLiteError) -> Bool {
    var batch = batch
    batch.forget(jobs: ends)
    guard isEmpty || batch.progress.settled == 0 else {
      try write(batch, changedAt: nil)
      return false
    }
    try statements[.upkeep.deleteRun].run(.integer(batch.serial))
    try statements[.upkeep.deleteBatch].run(.integer(batch.serial))
    return true
  }
}
