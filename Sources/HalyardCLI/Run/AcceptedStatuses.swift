internal import JSONQuery
import Pipeline

/// The statuses that `--accept` counts as a success.
///
/// Rows are judged when they are printed, so a fleet, a ledger and a cache need not know what this command accepts.
struct AcceptedStatuses: Hashable, Sendable {
  private static let statuses = 100...599
  /// Kinds of jobs whose answer is there whatever the status is.
  private static let kinds: Set = [JobKind.unfurl.name, JobKind.title.name]

  private let ranges: [ClosedRange<Int>]

  init(_ texts: [String]) throws(ValueProblem) {
    ranges = try texts.map { text throws(ValueProblem) in
      guard let range = Self.range(text) else {
        throw ValueProblem(
          words: "\(Printable.quoted(text)) is neither a status such as 403 nor a range such as 200..=299")
      }
      return range
    }
  }

  /// nil when the option is not given.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    let texts = arguments[SelectionOption.accept]
    guard !texts.isEmpty else { return nil }
    do {
      self = try AcceptedStatuses(texts)
    } catch {
      throw arguments.rejection(of: SelectionOption.accept, error.words)
    }
  }

  private static func range(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "..=", omittingEmptySubsequences: false).map { status($0) }
    guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first <= last else {
      return nil
    }
    return first...last
  }

  private static func status(_ text: Substring) -> Int? {
    guard text.utf8.count == 3, let number = Int(text), statuses.contains(number) else { return nil }
    return number
  }

  /// The row as it counts for this command.
  func judged(_ row: NumberedRow) throws(OutputError) -> NumberedRow {
    let root: JSONValue
    do {
      root = try JSONDocument(parsing: row.json, limits: .around).root
    } catch {
      throw .malformedRow(error.message)
    }
    guard Self.kinds.contains(root["kind"]?.string ?? ""), let status = root["http_status"]?.int64 else {
      return row
    }
    var judged = row
    if ranges.contains(where: { $0.contains(Int(clamping: status)) }) {
      guard Self.isOfStatus(row.failure, status) else { return row }
      judged.failure = nil
      judged.json = Self.rewritten(root, as: "ok", failing: nil)
    } else {
      guard row.failure == nil else { return row }
      let url = root["url"]?.string ?? ""
      let message = "fetch \(url): the server answered \(status), which --accept does not list"
      judged.failure = .httpStatus
      judged.json = Self.rewritten(
        root, as: "failed", failing: Failure(.httpStatus, at: .headers, message))
    }
    return judged
  }

  /// Whether the failure is that of the status: an error page may also be a check for bots.
  private static func isOfStatus(_ failure: FailureKind?, _ status: Int64) -> Bool {
    failure == .httpStatus || (failure == .blocked && status >= 400)
  }

  private static func rewritten(
    _ root: JSONValue, as status: String, failing failure: Failure?
  ) -> [UInt8] {
    var row = JSONWriter(reservingCapacity: 1_024)
    row.beginObject()
    for member in root.members where member.key != "error" {
      if member.key == "attempts" { failure?.write(to: &row) }
      if member.key == "status" {
        row.member("status", status)
      } else {
        row.key(member.key)
        row.value(member.value)
      }
    }
    row.endObject()
    return row.bytes
  }
}

extension Failure {
  fileprivate func write(to row: inout JSONWriter) {
    row.beginObject("error")
    row.member("kind", kind.rawValue)
    row.member("stage", stage.rawValue)
    row.member("message", message)
    row.member("retryable", retryable)
    row.endObject()
  }
}
