import JSONQuery
package import Pipeline

/// What the ledger's care says of itself: the schema `halyard.ledger/1`.
package struct LedgerReport: Encodable, Hashable, Sendable {
  package enum State: String, Encodable, Sendable {
    case working, done, failed
  }

  private(set) var schema = "halyard.ledger/1"
  /// What is done, in the word of the command.
  var verb: String
  package var state = State.working
  /// What happened, and what to do.
  package var cause: String?
  /// Jobs that were forgotten, or counted.
  var jobs: Int?
  /// Bytes that were copied, or given back.
  var bytes: Int64?
  /// Bytes there are to copy, or that are still free.
  var total: Int64?
  /// Where the copy is.
  var path: String?

  init(of task: LedgerTask) {
    verb =
      switch task {
      case .size: "size"
      case .copy: "backup"
      case .forget: "prune"
      case .shrink: "compact"
      }
  }

  package static func failed(_ task: LedgerTask, _ cause: String) -> LedgerReport {
    var report = LedgerReport(of: task)
    report.fail(cause)
    return report
  }

  /// A copy was put in its place.
  package static func copied(to path: String, bytes: Int64?) -> LedgerReport {
    var report = LedgerReport(of: .copy)
    (report.state, report.bytes, report.total, report.path) = (.done, bytes, bytes, path)
    return report
  }

  mutating func fail(_ cause: String) { (state, self.cause) = (.failed, cause) }

  package var json: [UInt8] { RawJSON(of: self).bytes }
}
