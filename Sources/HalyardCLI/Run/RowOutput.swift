internal import JSONQuery
import Pipeline
import Posix
import Roles

/// Rows to the user, and progress beside them; written on a thread of its own, because writing may block.
final class RowOutput: Sendable {
  private let worker: BlockingWorker
  private let sharesTerminal: Bool
  private let onlyFailures: Bool
  /// Held while a write blocks, so only the worker's thread may take it.
  private let writers: Lock<[RowWriter]>
  private let state: Lock<ProgressCounts>
  /// In columns; nil when no progress is to be shown.
  private let progressWidth: Int?
  private let startedAt = SystemTime.monotonicMicroseconds

  /// - Parameters:
  ///   - progressWidth: nil when no progress is to be shown.
  ///   - sharesTerminal: Rows go to the terminal where the progress line stands.
  ///   - known: How many rows a ledger had before.
  ///   - onlyFailures: Rows that are ok are counted, and not written.
  init(
    _ writers: sending [RowWriter], progressWidth: Int? = nil, sharesTerminal: Bool = false,
    known: Int = 0, onlyFailures: Bool = false
  ) throws {
    self.onlyFailures = onlyFailures
    self.sharesTerminal = sharesTerminal
    worker = try BlockingWorker(name: "output")
    self.writers = Lock(writers)
    var counts = ProgressCounts()
    counts.known = known
    state = Lock(counts)
    self.progressWidth = progressWidth
  }

  var counts: ProgressCounts { state.withLock { $0 } }

  /// Returns when the rows are written.
  func take(_ rows: [NumberedRow], total: ProgressCounts.Total = .unknown) async throws {
    try await worker.run { [self] in
      if sharesTerminal { Console.standardError.clear() }
      try writers.withLock { writers in
        for index in writers.indices {
          // A page beside the rows shows all of them.
          for row in rows where index > 0 || !onlyFailures || row.failure != nil {
            try writers[index].write(row.json)
          }
          try writers[index].flush()
          if let last = rows.last { try writers[index].remember(last) }
        }
      }
      state.withLock { counts in
        for row in rows { counts.add(row) }
        counts.total = total
      }
      drawProgress()
    }
  }

  /// Keeps the progress line moving while no rows come.
  func tick() async throws {
    try await worker.run { [self] in drawProgress() }
  }

  /// Tells the summary what got no job.
  func leaveOut(_ links: LinkSelection.LeftOut) { state.withLock { $0.leftOut = links } }

  /// Writes what is left, puts the rows where they belong, and tells if wanted how it all went.
  func finish(withSummary wantsSummary: @escaping @Sendable (ProgressCounts) -> Bool) async throws {
    try await worker.run { [self] in
      try writers.withLock { writers in
        for index in writers.indices { try writers[index].finish() }
      }
      Console.standardError.clear()
      guard wantsSummary(counts) else { return }
      Message.show("\(ProgressLine.summary(counts, elapsedMilliseconds: elapsedMilliseconds))\n")
    }
  }

  /// Leaves a file of rows as it was before, because something went wrong.
  ///
  /// - Parameters:
  ///   - keepingRows: Those so far cannot be printed again, so they are kept beside it.
  ///   - advice: What to do about rows that are kept.
  func breakOff(keepingRows: Bool, advice: String = "") async {
    let kept = try? await worker.run { [self] in
      Console.standardError.clear()
      return writers.withLock { writers in
        writers.indices.compactMap { writers[$0].breakOff(keepingRows: keepingRows && $0 == 0) }.first
      }
    }
    if let kept { Message.show("halyard: the rows so far are in \(Printable.text(kept))\(advice)\n") }
  }

  private var elapsedMilliseconds: Int64 {
    (SystemTime.monotonicMicroseconds - startedAt) / 1_000
  }

  private func drawProgress() {
    guard let progressWidth else { return }
    Console.standardError.draw {
      ProgressLine.render(counts, elapsedMilliseconds: elapsedMilliseconds, width: progressWidth)
    }
  }
}

extension ProgressCounts {
  fileprivate mutating func add(_ row: NumberedRow) {
    done += 1
    if row.failure == .cancelled {
      cancelled += 1
    } else if let failure = row.failure {
      failed[failure.rawValue, default: 0] += 1
      if let host = row.givenUpHost { givenUp.add(host) }
      if let place = row.blockedPlace { blocked.add(place) }
    }
  }
}

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
    let url = root["url"]?.string ?? ""
    var (end, failure): (FailureKind?, Failure?) = (row.failure, nil)
    if let accepted {
      if accepted.contains(where: { $0.contains(Int(clamping: status)) }) {
        // An error page may also be a check for bots.
        if end == .httpStatus || end == .blocked && status >= 400 { end = nil }
      } else if end == nil {
        failure = Failure(
          .httpStatus, at: .headers,
          "fetch \(url): the server answered \(status), which --accept does not list")
        end = .httpStatus
      }
    }
    if wantsPages, end == nil, kind == JobKind.title.name, !Self.isPage(root) {
      let type = root["content_type"]?.string ?? "a file"
      failure = Failure(.notHTML, at: .page, "read \(url): it is \(type), not a page")
      end = .notHTML
    }
    guard end != row.failure else { return row }
    var judged = row
    judged.failure = end
    judged.json = Self.rewritten(root, failing: failure)
    return judged
  }

  /// Only pages were read in a charset.
  private static func isPage(_ row: JSONValue) -> Bool { row["charset"] != nil }

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
