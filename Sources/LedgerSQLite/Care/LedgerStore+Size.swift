import Pipeline
import SQLite

/// What the file takes, and for what.
extension LedgerStore {
  /// Up to so many pages are counted exactly; reading them takes some milliseconds.
  private static let mostCounted: Int64 = 2_000

  func size() throws(SQLiteError) -> LedgerSize {
    let bytes = try connection.integer("PRAGMA page_size") ?? 0
    let pages = try connection.integer("PRAGMA page_count") ?? 0
    let free = try connection.integer("PRAGMA freelist_count") ?? 0
    var size = LedgerSize(jobs: counts, canShrink: try canShrink)
    size.parts = try parts(of: pages - free, pageBytes: Int(bytes), isSmall: pages <= Self.mostCounted)
      .mapValues { $0 * bytes }
    size.parts[.free] = free * bytes
    size.parts[.log] = connection.logBytes
    let totals = try statements.sizes.totals.first { row in (0..<6).map { row.integer(at: $0) } } ?? []
    let counts = totals.prefix(5).map { UInt64(clamping: $0 ?? 0) }
    guard counts.count == 5 else { return size }
    (size.batches, size.done, size.cancelled) = (counts[0], counts[1], counts[2])
    (size.forgettable, size.forgettableRead) = (counts[3], counts[4])
    size.oldest = totals[5].map { Moment(unixMilliseconds: $0) }
    return size
  }

  /// Room can be given back only in a file that was made for it.
  var canShrink: Bool {
    get throws(SQLiteError) { try connection.integer("PRAGMA auto_vacuum") == 2 }
  }

  /// Pages by part, of those in use.
  private func parts(
    of used: Int64, pageBytes: Int, isSmall: Bool
  ) throws(SQLiteError) -> [LedgerSize.Part: Int64] {
    // Not every library can count.
    if isSmall, let counted = try? countedPages() {
      return Self.fitted(counted.mapValues(Double.init), to: used)
    }
    let trees = try connection.prepare(
      "SELECT name, tbl_name, rootpage FROM sqlite_schema WHERE rootpage > 0"
    ).all { (name: $0.text(at: 0) ?? "", table: $0.text(at: 1) ?? "", root: $0.integer(at: 2) ?? 0) }
    var pages: [LedgerSize.Part: Double] = [:]
    for tree in trees {
      let size = TreeSize(pageBytes: pageBytes) { self.connection.storedPage($0, bytes: pageBytes) }
      pages[Self.part(of: tree.name, tree.table), default: 0] += size.pages(from: tree.root)
    }
    return Self.fitted(pages, to: used)
  }

  private func countedPages() throws(SQLiteError) -> [LedgerSize.Part: Int64] {
    let counted = try connection.prepare(
      """
      SELECT name, coalesce((SELECT tbl_name FROM sqlite_schema WHERE name = dbstat.name), name), count(*)
      FROM dbstat GROUP BY name
      """
    ).all { (name: $0.text(at: 0) ?? "", table: $0.text(at: 1) ?? "", pages: $0.integer(at: 2) ?? 0) }
    return counted.reduce(into: [:]) { $0[Self.part(of: $1.name, $1.table), default: 0] += $1.pages }
  }

  private static func part(of name: String, _ table: String) -> LedgerSize.Part {
    switch (name, table) {
    case ("job", _): .jobs
    case ("result", _): .rows
    case (_, "job"), (_, "result"): .indexes
    case (_, "answer"): .answers
    default: .other
    }
  }

  /// All pages in use have a part: those that trees do not name are the ends of long rows.
  private static func fitted(
    _ pages: [LedgerSize.Part: Double], to used: Int64
  ) -> [LedgerSize.Part: Int64] {
    let known = pages.values.reduce(0, +)
    let scale = known > Double(used) ? Double(used) / known : 1
    var fitted = pages.mapValues { Int64($0 * scale) }
    fitted[.rows, default: 0] += used - fitted.values.reduce(0, +)
    return fitted
  }
}
