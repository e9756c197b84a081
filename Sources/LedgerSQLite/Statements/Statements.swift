import SQLite

/// Everything that the ledger says to the database while it runs.
extension SQL {
  static let jobs = JobSQL()
  static let results = ResultSQL()
  static let batches = BatchSQL()
  static let selections = SelectionSQL()
  static let searches = SearchSQL()
  static let upkeep = UpkeepSQL()
  static let owner = OwnerSQL()
  static let cache = CacheSQL()
  static let begin = SQL("BEGIN IMMEDIATE")
  static let beginReading = SQL("BEGIN")
  static let commit = SQL("COMMIT")
  static let rollback = SQL("ROLLBACK")
}
