/// What a client may have done with the fleet's ledger. All but `size` are done in many short steps between commits.
public enum LedgerTask: Codable, Hashable, Sendable {
  /// Tells what it takes on its disk, and what is in it.
  case size
  /// Makes a copy of its file, beside it.
  case copy
  /// Deletes jobs of batches in which nothing has happened for so long.
  case forget(ForgettingChoice, olderThanMilliseconds: Int64)
  /// Gives free room back to the disk.
  case shrink
}
