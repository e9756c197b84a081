import Pipeline
import SQLite

/// Ready jobs by batch and host.
extension LedgerStore {
  func readyBatches(after batch: BatchID?, limit: Int) throws(SQLiteError) -> [BatchID] {
    var found: [BatchID] = []
    var last = Int64(0)
    if let batch, let known = try self.batch(batch) { last = known.serial }
    while found.count < limit,
      let serial = try statements[.selections.readyBatch].first(.integer(last), read: { $0.integer(at: 0) })
        ?? nil
    {
      let id = try statements[.batches.idOfSerial].first(.integer(serial)) { $0.blob(at: 0) } ?? nil
      guard let id = UUIDv7(stored: id) else { throw .damaged("batch \(serial) is missing") }
      found.append(BatchID(id))
      last = serial
    }
    return found
  }

  /// Ids of ready jobs of all batches, in their order.
  func readyIDs(after id: JobID?, _ limit: Int) throws(SQLiteError) -> [JobID] {
    var found: [JobID] = []
    for batch in try readyBatches(after: nil, limit: .max).sorted() {
      guard found.count < limit else { break }
      if let id, JobID(batch: batch, ordinal: .max) <= id { continue }
      found += try readyIDs(of: batch, after: id, limit - found.count)
    }
    return found
  }

  /// Ids of ready jobs of one batch, from the one after an id, which may be of an earlier batch.
  func readyIDs(of batch: BatchID, after id: JobID?, _ limit: Int) throws(SQLiteError) -> [JobID] {
    guard let serial = try self.batch(batch)?.serial else { return [] }
    let id = id.flatMap { $0 < JobID(batch: batch, ordinal: 0) ? nil : $0 }
    return try Self.ids(
      try statements[.selections.ready].all(
        Self.leastID(after: id), .integer(Int64(max(0, limit))), .integer(serial),
        .integer(id?.readyBlock ?? 0)
      ) { $0.blob(at: 0) })
  }

  func readyJobs(_ wish: ReadyWish) throws(SQLiteError) -> ReadyPage {
    guard let batch = try self.batch(wish.batch) else { return ReadyPage() }
    var choice = ReadyChoice(wish)
    var next: ReadyPlace? = wish.from
    while let place = next, !choice.isDone {
      next = try offer(place, of: batch, to: &choice)
    }
    var page = ReadyPage(next: next)
    for group in choice.groups {
      page.items.append(ReadyGroup(host: group.host, jobs: try jobs(group.ids), isCut: group.isCut))
    }
    return page
  }

  /// - Returns: Where it goes on; nil when there is nothing more.
  private func offer(
    _ place: ReadyPlace, of batch: BatchRow, to choice: inout ReadyChoice
  ) throws(SQLiteError) -> ReadyPlace? {
    let serial = Value.integer(batch.serial)
    guard let block = try block(of: batch, from: place.block) else { return nil }
    let place = block == place.block ? place : ReadyPlace(block: block)
    var (step, last) = (ReadyChoice.Step.next, place.host)
    var isDamaged = false
    choice.beginBlock()
    _ = try statements[.selections.readyInBlock].all(
      serial, .integer(block), .text(place.host), while: { step == .next && !isDamaged },
      read: { row in
        guard let host = row.text(at: 0), let id = UUIDv7(stored: row.blob(at: 1)) else {
          isDamaged = true
          return
        }
        (step, last) = (choice.offer(JobID(id), of: host), host)
      })
    guard !isDamaged else { throw .damaged("the host of a job cannot be read") }
    return switch step {
    case .next: ReadyPlace(block: block + 1)
    case .skipHost: place.after(last)
    case .stop: ReadyPlace(block: block, host: last)
    }
  }

  private func block(of batch: BatchRow, from block: Int64) throws(SQLiteError) -> Int64? {
    try statements[.selections.readyBlock].first(.integer(batch.serial), .integer(block)) {
      $0.integer(at: 0)
    } ?? nil
  }

  func readyJobs(
    of batch: BatchID, host: String, after id: JobID?, limit: Int
  ) throws(SQLiteError) -> HostPage {
    guard let row = try self.batch(batch) else { return HostPage() }
    var page = HostPage()
    var (from, looked) = (id?.readyBlock ?? 0, 0)
    while let block = try block(of: row, from: from) {
      // Blocks before this one have nothing more of the host.
      page.next = max(id ?? JobID(batch: batch, ordinal: 0).predecessor, JobID(batch: batch, startOf: block))
      guard page.items.count < limit, looked < HostPage.mostBlocks else { return page }
      let stored = try statements[.selections.readyAtHost].all(
        .integer(row.serial), .integer(block), .text(host), Self.leastID(after: id),
        .integer(Int64(limit - page.items.count))
      ) { StoredJob($0) }
      page.items += try Self.opened(stored)
      if page.items.count >= limit {
        page.next = page.items.last?.job.id ?? page.next
        return page
      }
      (from, looked) = (block + 1, looked + 1)
    }
    page.next = nil
    return page
  }
}
