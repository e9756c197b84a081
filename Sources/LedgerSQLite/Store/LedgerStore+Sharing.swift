import Pipeline
import SQLite

/// Terms of batches, and pauses.
extension LedgerStore {
  /// The name under which everything is paused: no host has it.
  static let nameOfAll = ""

  func shares() throws(SQLiteError) -> KnownShares {
    var shares = KnownShares()
    let rows = try statements.sharing.unusual.all {
      (batch: BatchRow($0), id: UUIDv7(stored: $0.blob(at: BatchRow.width)))
    }
    for row in rows {
      guard let batch = row.batch, let id = row.id else { throw .damaged("a batch cannot be read") }
      guard batch.isPaused || !batch.terms.areUsual else { continue }
      shares.batches.append(
        KnownShares.Batch(id: BatchID(id), terms: batch.terms, isPaused: batch.isPaused))
    }
    for host in try statements.sharing.paused.all(read: { $0.text(at: 0) ?? Self.nameOfAll }) {
      if host == Self.nameOfAll { shares.isAllPaused = true } else { shares.pausedHosts.insert(host) }
    }
    return shares
  }

  /// - Returns: Whether that changes anything.
  func pause(host: String, _ isPaused: Bool) throws(SQLiteError) -> Bool {
    let statement = isPaused ? statements.sharing.pause : statements.sharing.unpause
    return try statement.run(.text(host)) > 0
  }

  func writeTerms(of batch: BatchRow) throws(SQLiteError) {
    let terms = batch.terms
    try statements.sharing.setTerms.run(
      .integer(batch.serial), .integer(batch.isPaused ? 1 : 0), terms.name.map { .text($0) } ?? .null,
      .integer(terms.weight.map { Int64($0) }), .integer(terms.atMost.map { Int64($0) }),
      .integer(terms.perHour.map { Int64($0) }), .integer(terms.startsAt?.unixMilliseconds),
      .integer(terms.deadline?.unixMilliseconds))
  }
}
