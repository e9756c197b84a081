import Pipeline
import SQLite

/// Whether the file is sound, and agrees with itself. Each look reads all of it.
extension LedgerStore {
  private static let mostProblems = 100

  /// One line for each problem; none when all is well.
  func check() throws(SQLiteError) -> [String] {
    let found = try connection.prepare("PRAGMA integrity_check(\(Self.mostProblems))").all {
      $0.text(at: 0) ?? ""
    }
    guard found == ["ok"] else {
      return found.flatMap { $0.split(separator: "\n").map(String.init) }.filter { !$0.hasPrefix("*** in ") }
    }
    return try miscounted() + orphans()
  }

  /// Batches whose counters say something else than their jobs.
  private func miscounted() throws(SQLiteError) -> [String] {
    try connection.prepare(
      """
      SELECT batch.id, submitted, settled, failed, cancelled, rows, coalesce(jobs, 0), coalesce(over, 0),
        coalesce(dead, 0), coalesce(gone, 0), coalesce(last, 0)
      FROM batch LEFT JOIN (
        SELECT batch AS serial, count(*) AS jobs, sum(state >= 5) AS over, sum(state = 6) AS dead,
          sum(state = 7) AS gone FROM job GROUP BY batch
      ) USING (serial) LEFT JOIN (
        SELECT place >> 32 AS serial, max(place) & 4294967295 AS last FROM result GROUP BY place >> 32
      ) USING (serial)
      WHERE submitted <> coalesce(jobs, 0) OR settled <> coalesce(over, 0) OR failed <> coalesce(dead, 0)
        OR cancelled <> coalesce(gone, 0) OR rows < coalesce(last, 0)
      LIMIT \(Self.mostProblems)
      """
    ).all { row in
      let id = UUIDv7(stored: row.blob(at: 0))?.description ?? "without an id"
      let names = ["jobs", "jobs that are over", "failed jobs", "cancelled jobs", "rows"]
      let words = names.enumerated().compactMap { place, name -> String? in
        let (counted, there) = (row.integer(at: 1 + place) ?? 0, row.integer(at: 6 + place) ?? 0)
        let isWrong = place == 4 ? counted < there : counted != there
        return isWrong ? "it counts \(counted) \(name), and there are \(there)" : nil
      }
      return "batch \(id): \(words.joined(separator: "; "))"
    }
  }

  /// Jobs that are over and have no row, rows without such a job, and jobs without a batch.
  private func orphans() throws(SQLiteError) -> [String] {
    let questions = [
      (
        "jobs are over and have no row",
        "job WHERE state >= 5 AND NOT EXISTS (SELECT 1 FROM result WHERE result.place = job.place AND job = id)"
      ),
      (
        "rows belong to no job that is over",
        "result WHERE NOT EXISTS (SELECT 1 FROM job WHERE id = result.job AND state >= 5 AND job.place = result.place)"
      ),
      ("jobs belong to no batch", "job WHERE NOT EXISTS (SELECT 1 FROM batch WHERE serial = job.batch)"),
    ]
    var problems: [String] = []
    for (words, rows) in questions {
      let count = try connection.integer("SELECT count(*) FROM \(rows)") ?? 0
      if count > 0 { problems.append("\(count) \(words)") }
    }
    return problems
  }
}

/// Gives the room of deleted data back to the disk.
extension LedgerStore {
  func shrink(bytes: Int64) throws(SQLiteError) -> FileStep {
    let page = try connection.integer("PRAGMA page_size") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    if free > 0, page > 0 {
      try connection.execute("PRAGMA incremental_vacuum(\(max(1, bytes / page)))")
    }
    let left = try connection.integer("PRAGMA freelist_count") ?? 0
    // The file becomes shorter when the log is put in its place.
    if left == 0 { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    return FileStep(bytes: (free - left) * page, total: left * page)
  }
}

/// What the file takes, and for what.
extension LedgerStore {
  func size() throws(SQLiteError) -> LedgerSize {
    let bytes = try connection.integer("PRAGMA page_size") ?? 0
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    var size = LedgerSize(
      parts: [
        .data: (pages - free) * bytes, .free: free * bytes, .log: connection.logBytes,
        .reserve: reserve.bytes,
      ], jobs: summary.jobs)
    let totals = try statements[.batches.totals].first { row in (0..<6).map { row.integer(at: $0) } } ?? []
    let counts = totals.prefix(5).map { UInt64(clamping: $0 ?? 0) }
    guard counts.count == 5 else { return size }
    (size.batches, size.done, size.cancelled) = (counts[0], counts[1], counts[2])
    (size.forgettable, size.forgettableRead) = (counts[3], counts[4])
    size.oldest = totals[5].map { Moment(unixMilliseconds: $0) }
    return size
  }
}
