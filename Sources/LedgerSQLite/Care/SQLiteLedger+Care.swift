package import Pipeline
import Posix
import SQLite

/// What keeps the file small, sound and safe.
extension SQLiteLedger {
  package func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int, under term: LedgerTerm
  ) async throws(LedgerError) -> ForgettingStep {
    try await write(under: term) { try $0.forget(rule, before: moment, from: place, limit: limit) }
  }

  package func look(at now: Moment) async throws(LedgerError) -> LedgerStanding {
    try await use("read") { [path] store in
      store.reserve.make()
      let reserve = store.reserve
      var standing = LedgerStanding(
        missing: store.files.fault(of: path), reserve: reserve.bytes, isReserveGivenUp: reserve.isGivenUp)
      standing.needed = LedgerReserve.needed(total: totalBytes(at: path))
      return standing
    }
  }

  package func giveUpReserve() async throws(LedgerError) -> Bool {
    try await use("write") { $0.reserve.giveUp() }
  }

  package func size() async throws(LedgerError) -> LedgerSize {
    var size = try await use("read") { try $0.size() }
    size.diskFree = freeBytes(at: path)
    return size
  }

  package func shrink(bytes: Int64) async throws(LedgerError) -> FileStep {
    try await use("shrink") { try $0.shrink(bytes: bytes) }
  }

  package func copy(_ id: UUIDv7) async throws(LedgerError) -> FileStep {
    try await use("copy") { [path] store in
      do {
        if store.copy?.id != id {
          // The one before goes first, with its file.
          store.copy = nil
          LedgerCopy.removeOld(&store.finishedCopies)
          store.copy = try LedgerCopy(of: store, at: path, id: id)
        }
        guard let copy = store.copy else { throw LedgerError("copy ledger \(path): it was closed") }
        let step = try copy.step()
        if let path = step.path { store.finishedCopies[path] = SystemTime.monotonicMicroseconds }
        return step
      } catch {
        store.copy = nil
        throw error
      }
    }
  }

  package func endCopy() async {
    try? await use("copy") { $0.copy = nil }
  }

  /// Reads all of the file, which takes a second for some hundred megabytes.
  ///
  /// - Returns: What is wrong with it, one line each.
  package func check() async throws(LedgerError) -> [String] {
    try await use("check") { try $0.check() }
  }
}

/// A file beside a ledger that takes room on the disk, to be given up when nothing else is left. It belongs to the ledger's
/// thread.
struct LedgerReserve {
  static let most: Int64 = 32 << 20
  /// With less nothing useful could be committed.
  static let least: Int64 = 1 << 20
  static let suffix = "-reserve"

  private let ledger: String
  private let path: String
  /// Bytes that it is to have, a small part of a small disk; 0 for no reserve.
  private let wanted: Int64
  private(set) var bytes: Int64 = 0
  /// The disk has too little room to make it, also when an earlier process gave it up.
  private(set) var isGivenUp = false

  /// - Parameter total: Bytes of the ledger's file system.
  init(beside ledger: String, total: Int64?) {
    self.ledger = ledger
    path = resolvedPath(ledger) + Self.suffix
    wanted = Self.size(total: total)
  }

  static func size(total: Int64?) -> Int64 {
    let part = min(most, (total ?? 0) / 16)
    return part < least ? 0 : part
  }

  /// What a full disk has to get so that the reserve is made again, and jobs run.
  static func needed(total: Int64?) -> Int64 { 3 * max(least, size(total: total)) }

  /// Makes it where there is three times as much room. One that an earlier process left is taken as it is.
  mutating func make() { make { freeBytes(at: $0) } }

  /// - Parameter free: Bytes of the disk of a file; nil where that cannot be told.
  mutating func make(where free: (String) -> Int64?) {
    guard wanted > 0, bytes == 0 else { return }
    let facts = (try? FileFacts(at: path)).flatMap(\.self)
    if facts?.kind == .regular, (try? Descriptor.reading(path: path))?.size == Int(wanted) {
      (bytes, isGivenUp) = (wanted, false)
      return
    }
    if facts != nil { _ = removeFile(path: path) }
    guard let free = free(ledger) else { return }
    // With hardly any room beside it, it would soon be given up, also where an earlier process did that.
    isGivenUp = free < 3 * wanted
    if isGivenUp { return }
    do throws(PosixError) {
      try Descriptor.creatingSecret(path: path).allocate(wanted)
      bytes = wanted
    } catch {
      isGivenUp = error.isNoRoom
      _ = removeFile(path: path)
    }
  }

  /// - Returns: False when there was none.
  mutating func giveUp() -> Bool {
    bytes = 0
    guard removeFile(path: path) else { return false }
    isGivenUp = true
    return true
  }
}
