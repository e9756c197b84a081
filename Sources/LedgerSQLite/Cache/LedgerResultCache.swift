package import Pipeline
import SQLite

/// Kept answers in a ledger's file. They are written with the ledger's next commit, in the same transaction.
package struct LedgerResultCache: ResultCache {
  private let ledger: SQLiteLedger

  init(of ledger: SQLiteLedger) {
    self.ledger = ledger
  }

  package func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [CachedAnswer?] {
    try await ledger.use("read") { (store) throws(SQLiteError) in
      try store.findCached(questions, bytes: bytes)
    }
  }

  package func store(_ answers: [CachedAnswer]) async throws(LedgerError) {
    guard !answers.isEmpty else { return }
    try await ledger.use("write") { (store) throws(SQLiteError) in store.unwritten += answers }
  }
}

extension SQLiteLedger {
  /// What is kept in the same file.
  package var resultCache: LedgerResultCache { LedgerResultCache(of: self) }
}

extension LedgerStore {
  func findCached(_ questions: [String], bytes: Int) throws(SQLiteError) -> [CachedAnswer?] {
    // Mostly nothing: an answer is kept in the commit of the row that it comes from.
    if !unwritten.isEmpty { try commitCached() }
    return try cache.find(questions, bytes: bytes)
  }

  private func commitCached() throws(SQLiteError) {
    try transaction { () throws(SQLiteError) in try cache.write(unwritten) }
    unwritten = []
  }
}
