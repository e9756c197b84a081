import Pipeline
import SQLite

/// Ready jobs by batch and host.
extension LedgerStore {
  func readyBatches(after batch: BatchID?, limit: Int) throws(SQLiteError) -> [BatchID] {
    var found: [BatchID] = []
    var last = Int64(0)
    if let batch, let known = try self.batch(batch) { last = known.serial }
    while found.count < limit,
      let serial = try statements.selections.readyBatch.first(.integer(last), read: { $0.integer(at: 0) })
        ?? nil
    {
      let id = try statements.batches.idOfSerial.first(.integer(serial)) { $0.blob(at: 0) } ?? nil
      guard let id = UUIDv7(stored: id) else { throw .damaged("batch \(serial) is missing") }
      found.append(BatchID(id))
      last = serial
    }
    return found
  }

  /// Steps from job to job, and jumps over the rest of a host of which there are enough.
  func readyJobs(_ wish: ReadyWish) throws(SQLiteError) -> ReadyPage {
    guard let batch = try self.batch(wish.batch) else { return ReadyPage(lines: [], isLast: true) }
    var page = ReadyPage(lines: [], isLast: false)
    var (after, room) = (wish.after ?? "", wish.limit)
    if wish.after == nil { try readFirst(of: batch, wish, &page, &room) }
    while room > 0 {
      var (host, count, isPassed) = (after, 0, false)
      let stored = try statements.selections.ready.all(
        .integer(batch.serial), .text(after), .integer(Int64(room)), while: { !isPassed },
        read: { row in
          let job = StoredJob(row)
          (host, count) = (job.host, job.host == host ? count + 1 : 1)
          isPassed = wish.without.contains(host) || count >= wish.perHost
          return job
        })
      for job in stored where !wish.without.contains(job.host) {
        page.add(try job.open())
        room -= 1
      }
      guard isPassed else {
        page.isLast = room > 0
        break
      }
      after = host
    }
    return page
  }

  /// Jobs without a host come first; no host sorts before them.
  private func readFirst(
    of batch: BatchRow, _ wish: ReadyWish, _ page: inout ReadyPage, _ room: inout Int
  ) throws(SQLiteError) {
    guard !wish.without.contains("") else { return }
    let limit = Value.integer(Int64(min(wish.perHost, room)))
    let stored = try statements.selections.readyAtHost.all(
      .integer(batch.serial), .text(""), Self.leastID(after: nil), limit
    ) { StoredJob($0) }
    for job in stored { page.add(try job.open()) }
    room -= stored.count
  }

  func readyJobs(
    of batch: BatchID, host: String, after id: JobID?, limit: Int
  ) throws(SQLiteError) -> [OpenJob] {
    guard let batch = try self.batch(batch) else { return [] }
    let stored = try statements.selections.readyAtHost.all(
      .integer(batch.serial), .text(host), Self.leastID(after: id), .integer(Int64(max(0, limit)))
    ) { StoredJob($0) }
    return try stored.map { (job) throws(SQLiteError) in try job.open() }
  }
}

extension ReadyPage {
  fileprivate mutating func add(_ open: OpenJob) {
    if lines.last?.host != open.host { lines.append(Line(host: open.host, jobs: [])) }
    lines[lines.count - 1].jobs.append(open)
  }
}
