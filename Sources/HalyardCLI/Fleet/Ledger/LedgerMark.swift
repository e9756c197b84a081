import Assembly
import Pipeline
import Posix

/// Where the ledger of a fleet was when it ran last, kept in its run directory: a start that finds no ledger there must not
/// pass for the first one.
struct LedgerMark {
  private static let note = "fleet.ledger"

  let home: RunDirectory
  /// Of the ledger that is to be opened.
  let path: String

  /// Says that an empty ledger is begun where a fleet had one. After a restart of the machine the note can be gone, and only
  /// what stood beside the ledger tells.
  func check(_ log: any Log) {
    let left = ["-wal", "-reserve"].map { path + $0 }
    guard !fileExists(path), let before = noted ?? left.first(where: fileExists) else { return }
    log.record(
      .warning, "a fleet ran here before, and there is no ledger: an empty one is begun",
      [LogField("ledger", absolutePath(path)), LogField("before", before)])
  }

  private var noted: String? {
    guard let text = try? home.safe.reading(Self.note)?.readChunk() else { return nil }
    return String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  /// On a full disk it stays as it is.
  func keep() {
    try? home.safe.replacing(Self.note).writeAll(Array("\(absolutePath(path))\n".utf8))
  }
}
