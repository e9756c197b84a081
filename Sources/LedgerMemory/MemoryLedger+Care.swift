package import Pipeline

/// What keeps it small. There is no file to copy, and no disk to give anything back to.
extension MemoryLedger {
  /// Counts rows that were still kept: jobs with confirmed rows were forgotten before.
  package func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int
  ) -> ForgettingStep {
    let place = place ?? .first
    var step = ForgettingStep(jobs: 0, next: nil)
    for (id, batch) in batches.sorted(by: { $0.value.serial < $1.value.serial })
    where batch.serial >= UInt64(bitPattern: place.serial) && batch.mayBeForgotten(rule, id, before: moment) {
      let room = limit - step.jobs
      guard room > 0 else {
        step.next = batch.place(of: 0)
        return step
      }
      let after = Int64(bitPattern: batch.serial) == place.serial ? place.number : 0
      let chosen = batch.numbers(from: after, endedAs: rule.choice.end).prefix(room)
      step.jobs += chosen.count
      if !rule.choice.onlyCounts, !chosen.isEmpty || rule.choice.end == nil {
        drop(batches[id]?.forget(Array(chosen)) ?? [])
        if let rest = batches[id], rest.isEmpty {
          batches[id] = nil
          step.gone.append(rest.counters.forgotten(id))
        }
      }
      if step.jobs >= limit, let last = chosen.last {
        step.next = batch.place(of: last + 1)
        return step
      }
    }
    return step
  }

  package func size() -> LedgerSize {
    var size = LedgerSize(jobs: jobs.counts)
    for (id, batch) in batches where !id.isPassing {
      size.batches += 1
      let progress = batch.counters.progress
      size.done += progress.done
      size.cancelled += progress.cancelled
      guard batch.counters.isComplete else { continue }
      size.forgettable += progress.settled
      if batch.counters.unread == 0 { size.forgettableRead += progress.settled }
      if progress.settled > 0 { size.oldest = min(size.oldest ?? batch.changedAt, batch.changedAt) }
    }
    return size
  }

  package func shrink(bytes: Int64) -> ShrinkingStep {
    ShrinkingStep(released: 0, left: 0)
  }

  package func copy(_ id: UUIDv7) throws(LedgerError) -> CopyingStep {
    throw LedgerError("copy ledger: it is in memory only; there is no file to copy")
  }

  package func endCopy() {}

  package func storedRows(
    of batch: BatchID?, after place: RowPlace, limit: Int, bytes: Int
  ) -> StoredRows {
    var found = StoredRows()
    var room = bytes
    for (id, kept) in batches.sorted(by: { $0.value.serial < $1.value.serial })
    where kept.serial >= UInt64(bitPattern: place.serial) && !id.isPassing && !id.isOfCalls
      && batch.map({ $0 == id }) ?? true
    {
      guard found.items.count < limit, room > 0 else {
        found.next = kept.place(of: 0)
        break
      }
      let after = Int64(bitPattern: kept.serial) == place.serial ? place.number : 0
      let rows = kept.rows(after: after, limit: limit - found.items.count, bytes: room)
      found.items += rows
      room -= rows.reduce(0) { $0 + $1.json.count }
      if let last = rows.last?.number, last < kept.counters.progress.rows {
        found.next = kept.place(of: last)
        break
      }
    }
    return found
  }
}
