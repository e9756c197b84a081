import Pipeline
import Posix
import Scheduling

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
