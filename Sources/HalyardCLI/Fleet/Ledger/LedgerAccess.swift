import Assembly
import LedgerSQLite
import Pipeline
import Posix
import Roles

/// Opens a ledger's file while `body` runs; one that is not there is not made.
func withPresentLedger<Answer>(
  at path: String, _ body: (SQLiteLedger) async throws -> Answer
) async throws -> Answer {
  guard let facts = try? FileFacts(at: path), facts.kind == .regular || facts.kind == .link else {
    throw InputError(path, "there is no such ledger")
  }
  do {
    return try await withLedger(at: path, body)
  } catch let error as LedgerError where error.kind == .locked {
    guard let directory = directories(above: absolutePath(path)).first,
      LedgerMark.noted(in: directory)?.ledger == absolutePath(path),
      let fleet = try? RunningFleet.process(in: directory)
    else { throw error }
    throw LedgerError("ledger \(path): a fleet uses it, process \(fleet); leave out --ledger", kind: .locked)
  }
}

/// The directory of a file, and those above, for one that has yet to be made.
func directories(above path: String) -> [String] {
  var (path, found) = (path[...], [String]())
  while let slash = path.lastIndex(of: "/") {
    path = path[..<slash]
    found.append(path.isEmpty ? "/" : String(path))
  }
  return found
}

/// A ledger that is cared for: a fleet's, or a file that no process has open.
protocol LedgerAccess: Sendable {
  /// Has something done, and returns its report, of the schema `halyard.ledger/1`.
  func care(_ task: LedgerTask) async throws -> [UInt8]
  func storedRows(of batch: BatchID?, after place: RowPlace) async throws -> StoredRows
  func has(_ batch: BatchID) async throws -> Bool
  /// Why a batch that it does not have cannot be exported.
  func unknown(_ batch: BatchText) -> any Error
}

extension LedgerAccess {
  /// Throws when it has no such batch.
  func check(_ batch: BatchText) async throws {
    guard try await has(batch.id) else { throw unknown(batch) }
  }
}

/// By way of the aggregator, between its commits.
struct FleetLedger: LedgerAccess {
  let link: FleetLink

  func care(_ task: LedgerTask) async throws -> [UInt8] {
    try await link.follower.care(task)
  }

  func storedRows(of batch: BatchID?, after place: RowPlace) async throws -> StoredRows {
    try await link.follower.storedRows(of: batch, after: place)
  }

  func has(_ batch: BatchID) async throws -> Bool { try await link.client.progress(of: batch) != nil }

  func unknown(_ batch: BatchText) -> any Error { batch.unknown }
}

/// The same steps, one after another.
struct FileLedger: LedgerAccess {
  private static let rows = 1_000
  private static let bytes = 1 << 20

  let ledger: SQLiteLedger
  let clock = SystemClock()

  func care(_ task: LedgerTask) async throws -> [UInt8] {
    if task == .size { return LedgerSizeReport(try await ledger.size()).json }
    var run = LedgerTaskRun(task, id: .random(at: clock.now), at: clock.now)
    // The file is locked for this process, so its last owner is gone.
    let term = try await ledger.owner().term
    while !run.isOver {
      try Task.checkCancellation()
      await run.step(on: ledger, under: term)
      if run.isWaiting { try await clock.sleep(until: clock.now.advanced(byMilliseconds: 20)) }
    }
    return run.report.json
  }

  func storedRows(of batch: BatchID?, after place: RowPlace) async throws -> StoredRows {
    try await ledger.storedRows(of: batch, after: place, limit: Self.rows, bytes: Self.bytes)
  }

  func has(_ batch: BatchID) async throws -> Bool { try await ledger.progress(of: batch) != nil }

  func unknown(_ batch: BatchText) -> any Error {
    InputError(ledger.path, "it has no batch of this id; the rows of a run have it as 'batch'")
  }
}

/// Where the ledger of a fleet was when it ran last, kept in its run directory: a start that finds no ledger there must not
/// pass for the first one.
struct LedgerMark {
  private static let note = "fleet.ledger"

  let home: RunDirectory
  /// Of the ledger that is to be opened.
  let path: String

  /// Where a fleet had one that finds none now. After a restart of the machine the note can be gone, and only what stood
  /// beside the ledger tells.
  var lost: String? {
    let left = ["-wal", "-reserve"].map { path + $0 }
    return fileExists(path) ? nil : Self.noted(in: home.safe.path)?.ledger ?? left.first(where: fileExists)
  }

  /// Says that an empty ledger is begun where a fleet had one.
  ///
  /// - Returns: That one.
  func check(_ log: any Log) -> String? {
    guard let before = lost else { return nil }
    log.record(
      .warning, "a fleet ran here before, and there is no ledger: an empty one is begun",
      [LogField("ledger", absolutePath(path)), LogField("before", before)])
    return before
  }

  /// The ledger of the fleet that ran there last, and its address.
  static func noted(in directory: String) -> (ledger: String, address: String?)? {
    guard let text = try? RunDirectory(checking: directory).safe.reading(note)?.readChunk() else {
      return nil
    }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    return lines.first.map { ($0, lines.dropFirst().first) }
  }

  /// A full disk may have no room for it.
  func keep(_ address: Address) {
    _ = try? home.safe.keep(Array("\(absolutePath(path))\n\(address)\n".utf8), as: Self.note)
  }
}
