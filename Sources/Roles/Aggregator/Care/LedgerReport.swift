import JSONQuery
package import Pipeline

/// What the ledger's care says of itself, as one JSON object of the schema `halyard.ledger/1`.
package struct LedgerReport: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case working
    case done
    /// With what happened, and what to do.
    case failed(String)
  }

  static let schema = "halyard.ledger/1"

  package var state = State.working
  /// What is done, in the word of the command.
  var verb: String
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
    report.state = .failed(cause)
    return report
  }

  /// A copy was put in its place.
  package static func copied(to path: String, bytes: Int64?) -> LedgerReport {
    var report = LedgerReport(of: .copy)
    (report.state, report.bytes, report.total, report.path) = (.done, bytes, bytes, path)
    return report
  }

  package var json: [UInt8] {
    JSONWriter.object(reservingCapacity: 256) { report in
      report.member("schema", Self.schema)
      report.member("verb", verb)
      switch state {
      case .working: report.member("state", "working")
      case .done: report.member("state", "done")
      case .failed(let cause):
        report.member("state", "failed")
        report.member("cause", cause)
      }
      if let jobs { report.member("jobs", jobs) }
      if let bytes { report.member("bytes", bytes) }
      if let total { report.member("total", total) }
      report.member("path", path)
    }
  }
}

extension LedgerSize {
  /// The answer to a question about the size.
  package var report: [UInt8] {
    JSONWriter.object(reservingCapacity: 512) { report in
      report.member("schema", LedgerReport.schema)
      report.member("verb", "size")
      report.member("state", "done")
      write(to: &report)
      report.beginObject("jobs")
      let counts: [(String, UInt64)] = [
        ("waiting", UInt64(clamping: jobs.waiting)), ("ready", UInt64(clamping: jobs.ready)),
        ("leased", UInt64(clamping: jobs.leased)), ("scheduled", UInt64(clamping: jobs.scheduled)),
        ("failed", UInt64(clamping: jobs.dead)), ("done", done), ("cancelled", cancelled),
      ]
      for (state, count) in counts { report.member(state, count) }
      report.endObject()
      report.member("batches", batches)
      report.beginObject("prunable")
      report.member("jobs", forgettable)
      report.member("read", forgettableRead)
      report.member("bytes", forgettableBytes)
      report.endObject()
    }
  }

  /// Bytes by part and the oldest batch, as members of an object.
  func write(to report: inout JSONWriter) {
    report.member("bytes", bytes)
    report.beginObject("parts")
    for part in Part.allCases { report.member(part.rawValue, self[part]) }
    report.endObject()
    report.memberOrNull("oldest", oldest?.unixMilliseconds)
  }
}
