import Pipeline

/// The rows that were committed last, so that a reader who is close behind need not wait for the file. A pure value.
struct RecentRows: Sendable {
  /// When there is more, all is dropped: a reader who misses it reads the file once, and is close behind again.
  static let mostBytes = 4 << 20

  /// Of each batch the last rows without a gap, up to its newest.
  private var rows: [BatchID: [NumberedRow]] = [:]
  private var bytes = 0

  /// - Parameter committed: By batch in the order of their numbers; nil when rows were deleted.
  mutating func take(_ committed: [BatchID: [NumberedRow]]?) {
    guard let committed else {
      self = RecentRows()
      return
    }
    for (batch, new) in committed {
      bytes += new.reduce(0) { $0 + $1.json.count }
      rows[batch, default: []] += new
    }
    if bytes > Self.mostBytes { self = RecentRows() }
  }

  /// What the file would answer; nil when only that knows.
  func rows(of batch: BatchID, after number: UInt64, limit: Int, bytes: Int) -> [NumberedRow]? {
    guard let known = rows[batch], let first = known.first?.number, number >= first - 1 else { return nil }
    var (page, room) = ([NumberedRow](), bytes)
    for row in known.dropFirst(Int(clamping: number - (first - 1))).prefix(max(0, limit)) where room > 0 {
      page.append(row)
      room -= row.json.count
    }
    return page
  }
}
