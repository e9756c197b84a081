package import Pipeline
import Posix
import SQLite

/// What keeps the file small, sound and safe.
extension SQLiteLedger {
  package func forget(
    _ rule: ForgettingRule, before moment: Moment, from place: RowPlace?, limit: Int, under term: LedgerTerm
  ) async throws(LedgerError) -> ForgettingStep {
    try await write(under: term) { (store) throws(SQLiteError) in
      try store.forget(rule, before: moment, from: place, limit: limit)
    }
  }

  package func look(at now: Moment) async throws(LedgerError) -> LedgerStanding {
    try await use("read") { [path] (store) throws(SQLiteError) in
      store.reserve.make()
      let reserve = store.reserve
      return LedgerStanding(
        missing: store.files.fault(of: path), reserve: reserve.bytes, isReserveGivenUp: reserve.isGivenUp)
    }
  }

  package func giveUpReserve() async throws(LedgerError) -> Bool {
    try await use("write") { (store) throws(SQLiteError) in store.reserve.giveUp() }
  }

  package func size() async throws(LedgerError) -> LedgerSize {
    var size = try await use("read") { (store) throws(SQLiteError) in try store.size() }
    size.diskFree = freeBytes(at: path)
    return size
  }

  package func shrink(bytes: Int64) async throws(LedgerError) -> FileStep {
    try await use("shrink") { (store) throws(SQLiteError) in try store.shrink(bytes: bytes) }
  }

  package func copy(_ id: UUIDv7) async throws(LedgerError) -> FileStep {
    let step: Result<FileStep, LedgerError> = try await use("copy") { [path] (store) throws(SQLiteError) in
      do throws(LedgerError) {
        if store.copy?.id != id {
          // The one before goes first, with its file.
          store.copy = nil
          LedgerCopy.removeOld(&store.finishedCopies)
          store.copy = try LedgerCopy(of: store, at: path, id: id)
        }
        guard let copy = store.copy else { throw LedgerError("copy ledger \(path): it was closed") }
        let step = try copy.step()
        if let path = step.path { store.finishedCopies[path] = SystemTime.monotonicMicroseconds }
        return .success(step)
      } catch {
        store.copy = nil
        return .failure(error)
      }
    }
    return try step.get()
  }

  package func endCopy() async {
    try? await use("copy") { (store) throws(SQLiteError) in store.copy = nil }
  }

  /// Reads all of the file, which takes a second for some hundred megabytes.
  ///
  /// - Returns: What is wrong with it, one line each.
  package func check() async throws(LedgerError) -> [String] {
    try await use("check") { (store) throws(SQLiteError) in try store.check() }
  }
}
