import Pipeline
import SQLite

/// Deletes batches that are no longer needed.
extension LedgerStore {
  func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int
  ) throws(SQLiteError) -> ForgettingStep {
    let choice = rule.choice
    let place = place ?? .first
    if choice.onlyCounts { return try forget(rule, before: moment, from: place, limit: limit).step }
    let (step, dead) = try transaction { () throws(SQLiteError) in
      try forget(rule, before: moment, from: place, limit: limit)
    }
    if step.jobs > 0 || step.next == nil { forgot(dead: dead) }
    return step
  }

  /// A batch without rows counts as a row, so that no step is long.
  private func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace, limit: Int
  ) throws(SQLiteError) -> (step: ForgettingStep, dead: Int) {
    var (place, room, dead) = (place, limit, 0)
    var step = ForgettingStep(jobs: 0, next: nil)
    while room > 0 {
      guard let (batch, id) = try oldest(rule, before: moment, from: place) else {
        step.next = nil
        return (step, dead)
      }
      let rows = try rows(of: batch, from: place, limit: room)
      let isThrough = rows.count < room
      let ends = try forget(rows.map(\.job), rule.choice)
      if !rule.choice.onlyCounts, !ends.isEmpty || rule.choice.end == nil {
        let isGone = try shrink(batch, by: ends, isEmpty: isThrough && rule.choice.end == nil)
        if isGone { step.gone.append(batch.counters.forgotten(id)) }
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
  ) throws(SQLiteError) -> (row: BatchRow, id: BatchID)? {
    let choice = rule.choice
    return try statements[.forgetting.batch].all(
      .integer(moment.unixMilliseconds), .integer(rule.unreadLimit(moment)?.unixMilliseconds),
      .integer(rule.wantsPassing.map { $0 ? 1 : 0 }), .integer(place.serial),
      choice.batch?.uuid.stored ?? .null,
      .integer(rule.callsLimit(moment)?.unixMilliseconds), read: BatchRow.withID
    ).sound("a batch cannot be read").first
  }

  private func rows(
    of batch: BatchRow, from place: RowPlace, limit: Int
  ) throws(SQLiteError) -> [(place: RowPlace, job: Value)] {
    let first = max(place, RowPlace(serial: batch.serial, number: 1))
    return try statements[.forgetting.jobs].all(
      .integer(Int64(bitPattern: first.value)), .integer(batch.place(of: Job.mostInBatch)),
      .integer(Int64(limit))
    ) { (RowPlace(UInt64(bitPattern: $0.integer(at: 0) ?? 0)), .blob($0.blob(at: 1) ?? [])) }
  }

  /// - Returns: How each of those that were chosen had ended.
  private func forget(_ jobs: [Value], _ choice: ForgettingChoice) throws(SQLiteError) -> [JobLife.End] {
    var ends: [JobLife.End] = []
    for job in jobs {
      let end = try Self.end(try statements[.jobs.state].first(job) { $0.integer(at: 0) } ?? nil)
      guard choice.end ?? end == end else { continue }
      ends.append(end)
      if choice.onlyCounts { continue }
      try statements[.results.deleteCauses].run(job)
      try statements[.results.delete].run(job)
      try statements[.forgetting.job].run(job)
    }
    return ends
  }

  private static func end(_ state: Int64?) throws(SQLiteError) -> JobLife.End {
    guard case .over(let end)? = JobPhase(stored: state)?.life(token: nil, runAt: nil) else {
      throw .damaged("a row belongs to no job")
    }
    return end
  }

  /// - Returns: Whether nothing is left of it.
  private func shrink(
    _ batch: BatchRow, by ends: [JobLife.End], isEmpty: Bool
  ) throws(SQLiteError) -> Bool {
    var batch = batch
    batch.counters.forget(jobs: ends)
    guard isEmpty || batch.counters.progress.settled == 0 else {
      try write(batch, changedAt: nil)
      return false
    }
    try statements[.forgetting.run].run(.integer(batch.serial))
    try statements[.forgetting.emptyBatch].run(.integer(batch.serial))
    return true
  }
}
