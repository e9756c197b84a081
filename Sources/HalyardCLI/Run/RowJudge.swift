internal import JSONQuery
import Pipeline
import Roles

/// What counts as a success for one command.
///
/// Rows are judged when they are printed, so a fleet, a ledger and a cache need not know what this command wants.
struct RowJudge: Hashable, Sendable {
  /// Kinds of jobs whose answer is there whatever the status is.
  private static let kinds: Set = [JobKind.unfurl.name, JobKind.title.name]

  /// nil where each kind of job has its own rule.
  var accepted: [StatusRange]?
  /// Whether a title of anything but a page is a failure.
  var wantsPages = false

  /// The row as it counts for this command.
  func judged(_ row: NumberedRow) throws(OutputError) -> NumberedRow {
    let root = try JSONValue(row: row.json)
    let kind = root["kind"]?.string ?? ""
    guard Self.kinds.contains(kind), let status = root["http_status"]?.int64 else { return row }
    var (end, failure): (FailureKind?, Failure?) = (row.failure, nil)
    if let accepted {
      if accepted.contains(where: { $0.contains(Int(clamping: status)) }) {
        if Self.isOfStatus(end, status) { end = nil }
      } else if end == nil {
        failure = Self.statusFailure(root, status)
        end = .httpStatus
      }
    }
    if wantsPages, end == nil, kind == JobKind.title.name, !Self.isPage(root) {
      failure = Self.pageFailure(root)
      end = .notHTML
    }
    guard end != row.failure else { return row }
    var judged = row
    judged.failure = end
    judged.json = Self.rewritten(root, failing: failure)
    return judged
  }

  /// Whether the failure is that of the status: an error page may also be a check for bots.
  private static func isOfStatus(_ failure: FailureKind?, _ status: Int64) -> Bool {
    failure == .httpStatus || (failure == .blocked && status >= 400)
  }

  /// Only pages were read in a charset.
  private static func isPage(_ row: JSONValue) -> Bool { row["charset"] != nil }

  private static func statusFailure(_ row: JSONValue, _ status: Int64) -> Failure {
    let url = row["url"]?.string ?? ""
    return Failure(
      .httpStatus, at: .headers, "fetch \(url): the server answered \(status), which --accept does not list")
  }

  private static func pageFailure(_ row: JSONValue) -> Failure {
    let (url, type) = (row["url"]?.string ?? "", row["content_type"]?.string ?? "a file")
    return Failure(.notHTML, at: .page, "read \(url): it is \(type), not a page")
  }

  private static func rewritten(_ root: JSONValue, failing failure: Failure?) -> [UInt8] {
    JSONWriter.object(reservingCapacity: 1_024) { row in
      for member in root.members where member.key != "error" {
        if member.key == "attempts" { failure?.write(to: &row) }
        if member.key == "status" {
          row.member("status", failure == nil ? "ok" : "failed")
        } else {
          row.key(member.key)
          row.value(member.value)
        }
      }
    }
  }
}

extension RowJudge {
  /// nil when rows count as they are.
  init?(_ arguments: ParsedArguments) {
    accepted = arguments[SelectionOption.accept].isEmpty ? nil : arguments[SelectionOption.accept]
    wantsPages = arguments[SelectionOption.htmlOnly]
    guard accepted != nil || wantsPages else { return nil }
  }
}
