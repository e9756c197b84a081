import Pipeline
import Posix

/// The files that a ledger has open, to be found again at their paths.
struct LedgerFiles {
  private let found: [(path: String, identity: FileIdentity?)]

  init(at path: String) {
    found = ["", "-wal"].map { suffix in
      let file = resolvedPath(absolutePath(path)) + suffix
      return (file, FileIdentity(at: file))
    }
  }

  /// nil while they are where they were.
  func fault(of ledger: String) -> LedgerError? {
    guard let lost = found.first(where: { FileIdentity(at: $0.path) != $0.identity }) else { return nil }
    let what = fileExists(lost.path) ? "replaced" : "removed"
    return LedgerError(
      "ledger \(lost.path == ledger ? "" : "\(ledger): ")\(lost.path) was \(what) while the fleet uses it; what is open"
        + " would be lost with the aggregator: save it with 'halyard ledger backup FILE', stop the fleet, move away what is"
        + " left of the old one, which is the ledger's file, its -wal and its -shm, and put FILE in the ledger's place",
      kind: .removed)
  }
}
