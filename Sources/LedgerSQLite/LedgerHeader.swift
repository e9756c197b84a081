/// The first bytes of a ledger's file, read without opening it as a database, which would take its lock.
package struct LedgerHeader: Hashable, Sendable {
  /// So many bytes are enough.
  package static let size = 100

  private let bytes: [UInt8]

  package init(_ bytes: [UInt8]) {
    self.bytes = Array(bytes.prefix(Self.size))
  }

  /// Why this is no ledger that this version can use; nil when it may be one.
  package var problem: String? {
    if bytes.isEmpty { return nil }
    guard bytes.count == Self.size, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      return "this is not a ledger"
    }
    // The log beside a new file may have what the file does not have yet.
    if application == 0, version == 0 { return nil }
    guard application == Schema.applicationID else { return "this is another program's database" }
    guard version <= Schema.version else {
      return "a newer halyard wrote it (schema \(version), and this one knows \(Schema.version))"
    }
    return nil
  }

  /// What kind of ledger it is, when there is no problem.
  package var summary: String {
    version == 0 ? "a new ledger" : "schema \(version) of \(Schema.version)"
  }

  private var version: Int64 { number(at: 60) }
  private var application: Int64 { number(at: 68) }

  private func number(at place: Int) -> Int64 {
    guard place + 4 <= bytes.count else { return 0 }
    return bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int64($1) }
  }
}
