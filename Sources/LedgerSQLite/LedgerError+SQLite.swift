import Pipeline
import Posix
import SQLite

extension LedgerError {
  /// What a file is for.
  enum Subject: String {
    case ledger
    case cache
  }

  /// Says what was tried on which file, and what can be done about it.
  init(_ error: SQLiteError, doing verb: String, _ subject: Subject, _ path: String) {
    let system =
      error.systemCode == 0 ? "" : " (\(PosixError(call: "open", code: error.systemCode).message))"
    let (kind, words): (Kind, String) =
      switch error.cause {
      case .busy:
        (
          .locked,
          "another aggregator or command is using it; wait until that has ended, or name another file"
        )
      case .full: (.full, Self.fullDisk(path))
      case .readOnly: (.readOnly, "it cannot be written; check the permissions of the file and its directory")
      case .corrupt:
        (.corrupt, "it is damaged: \(error.message); take a copy of it from before, or name another file")
      case .notADatabase: (.other, "this is not a \(subject.rawValue): \(error.message); name another file")
      case .cannotOpen:
        (.other, "\(error.message)\(system); check that its directory exists and may be written")
      case .tooLarge: (.tooLarge, error.message)
      case .inputOutput: (.other, "\(error.message)\(system); check its disk")
      case .other: (.other, "\(error.call): \(error.message)\(system)")
      }
    self.init("\(verb) \(subject.rawValue) \(path): \(words)", kind: kind)
  }

  private static func fullDisk(_ path: String) -> String {
    let free = freeBytes(at: path).map { " (\($0 >> 10) KiB are free)" } ?? ""
    let needed = LedgerReserve.needed(total: totalBytes(at: path)) >> 20
    return "there is no room left on its disk\(free); make \(needed) MiB or more"
  }
}
