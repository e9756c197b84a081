import Pipeline
import SQLite

/// Terms of batches, and pauses.
extension LedgerStore {
  /// The name under which everything is paused: no host has it.
  static let nameOfAll = ""

  func shares() throws(SQLiteError) -> KnownShares {
    var pauses: [PauseScope: Pause] = [:]
    for (host, pause) in try statements[.sharing.paused].all(read: { ($0.text(at: 0), Pause($0, at: 1)) }) {
      let host = host ?? Self.nameOfAll
      pauses[host == Self.nameOfAll ? .all : .host(host)] = pause
    }
    let unusual = try statements[.sharing.unusual].all(read: BatchRow.withID).sound("a batch cannot be read")
    return KnownShares(unusual.lazy.map { ($0.id, $0.row.counters) }, pauses: pauses)
  }

  /// What of a host, or of everything, is paused.
  func pause(ofHost host: String) throws(SQLiteError) -> Pause? {
    try statements[.sharing.pauseOf].first(.text(host)) { Pause($0, at: 0) } ?? nil
  }

  func set(_ pause: Pause?, ofHost host: String) throws(SQLiteError) {
    if let pause {
      let values = pause.values
      try statements[.sharing.pause].run(.text(host), values[0], values[1], values[2], values[3])
    } else {
      try statements[.sharing.unpause].run(.text(host))
    }
  }

  func writeTerms(of batch: BatchRow) throws(SQLiteError) {
    let terms = batch.counters.terms
    let pause = batch.counters.pause?.values ?? Array(repeating: .null, count: 4)
    try statements[.sharing.setTerms].run(
      .integer(batch.serial), terms.name.map { .text($0) } ?? .null,
      .integer(terms.weight.map { Int64($0) }), .integer(terms.atMost.map { Int64($0) }),
      .integer(terms.perHour.map { Int64($0) }), .integer(terms.startsAt?.unixMilliseconds),
      .integer(terms.deadline?.unixMilliseconds), pause[0], pause[1], pause[2], pause[3])
  }
}

extension Pause {
  static let columns = "paused_at, paused_for, paused_by, paused_why"

  /// nil when the first of the columns says that nothing is paused.
  init?(_ row: borrowing Row, at column: Int) {
    guard let moment = row.integer(at: column) else { return nil }
    self.init(
      by: row.text(at: column + 2) ?? "", reason: row.text(at: column + 3),
      at: Moment(unixMilliseconds: moment), lastsMilliseconds: row.integer(at: column + 1))
  }

  fileprivate var values: [Value] {
    [
      .integer(at.unixMilliseconds), .integer(lastsMilliseconds), .text(by),
      reason.map { .text($0) } ?? .null,
    ]
  }
}
