package import Pipeline
import SQLite

/// Cached answers in a ledger's file. They are written with the ledger's next commit, in the same transaction.
extension SQLiteLedger: ResultCache {
  package func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [CachedAnswer?] {
    try await use("read") { (store) throws(SQLiteError) in
      // Mostly nothing is left: an answer is written in the commit of the row that it comes from.
      if !store.unwritten.isEmpty {
        try store.transaction { () throws(SQLiteError) in try store.cache.write(store.unwritten) }
        store.unwritten = []
      }
      return try store.cache.find(questions, bytes: bytes)
    }
  }

  package func store(_ answers: [CachedAnswer]) async throws(LedgerError) {
    guard !answers.isEmpty else { return }
    try await use("write") { (store) throws(SQLiteError) in store.unwritten += answers }
  }
}
