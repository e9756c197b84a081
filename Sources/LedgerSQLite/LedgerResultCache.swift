public import Pipeline
import SQLite

/// Kept answers in a ledger's file. They are written with the ledger's next commit, in the same transaction.
public struct LedgerResultCache: ResultCache {
  private let ledger: SQLiteLedger

  init(of ledger: SQLiteLedger) {
    self.ledger = ledger
  }

  public func find(_ questions: [String], bytes: Int) async throws(LedgerError) -> [KeptAnswer?] {
    try await ledger.use("read") { (store) throws(SQLiteError) in
      try store.findKept(questions, bytes: bytes)
    }
  }

  public func keep(_ answers: [KeptAnswer]) async throws(LedgerError) {
    guard !answers.isEmpty else { return }
    try await ledger.use("write") { (store) throws(SQLiteError) in store.unwritten += answers }
  }
}

extension SQLiteLedger {
  /// What is kept in the same file.
  public var resultCache: LedgerResultCache { LedgerResultCache(of: self) }
}

extension LedgerStore {
  func findKept(_ questions: [String], bytes: Int) throws(SQLiteError) -> [KeptAnswer?] {
    // Mostly nothing: an answer is kept in the commit of the row that it comes from.
    if !unwritten.isEmpty { try commitKept() }
    return try cache.find(questions, bytes: bytes)
  }

  private func commitKept() throws(SQLiteError) {
    try transaction { () throws(SQLiteError) in try cache.keep(unwritten) }
    unwritten = []
  }
}
