import Pipeline
import Posix
import Scheduling

/// Rows to the user, and progress beside them; written on a thread of its own, because writing may block.
final class RowOutput: Sendable {
  private struct Progress {
    var meter: ProgressMeter?
    var counts = ProgressCounts()
  }

  private let worker: BlockingWorker
  private let sharesTerminal: Bool
  private let onlyFailures: Bool
  /// Held while a write blocks, so only the worker's thread may take it.
  private let writers: Lock<[any RowTarget]>
  private let progress: Lock<Progress>
  private let startedAt = SystemTime.monotonicMicroseconds

  /// - Parameters:
  ///   - meter: nil when no progress is to be shown.
  ///   - sharesTerminal: Rows go to the terminal where the progress line stands.
  ///   - known: How many rows a ledger had before.
  ///   - onlyFailures: Rows that are ok are counted, and not written.
  init(
    _ writers: sending [any RowTarget], meter: ProgressMeter? = nil, sharesTerminal: Bool = false,
    known: Int = 0,
    onlyFailures: Bool = false
  ) throws {
    self.onlyFailures = onlyFailures
    self.sharesTerminal = sharesTerminal
    worker = try BlockingWorker(name: "output")
    self.writers = Lock(writers)
    var counts = ProgressCounts()
    counts.known = known
    progress = Lock(Progress(meter: meter, counts: counts))
  }

  var counts: ProgressCounts { progress.withLock { $0.counts } }

  /// Returns when the rows are written.
  func take(_ rows: [NumberedRow], total: ProgressCounts.Total = .unknown) async throws {
    try await worker.run { [self] in
      if sharesTerminal { progress.withLock { show($0.meter?.clear()) } }
      try writers.withLock { writers in
        for index in writers.indices {
          // A page beside the rows shows all of them.
          for row in rows where index > 0 || !onlyFailures || row.failure != nil {
            try writers[index].write(row.json)
          }
          try writers[index].flush()
        }
      }
      progress.withLock { progress in
        for row in rows { progress.counts.add(row) }
        progress.counts.total = total
        drawProgress(&progress)
      }
    }
  }

  /// Keeps the progress line moving while no rows come.
  func tick() async throws {
    try await worker.run { [self] in progress.withLock { drawProgress(&$0) } }
  }

  /// Shows text for people in place of the progress line, which comes back below it.
  func show(_ text: String) {
    progress.withLock { progress in
      show(progress.meter?.clear())
      show(Array(Printable.lines(text).utf8))
    }
  }

  /// Tells the summary what got no job.
  func leaveOut(_ links: LinkSelection.LeftOut) { progress.withLock { $0.counts.leftOut = links } }

  /// Writes what is left, puts the rows where they belong, and tells if wanted how it all went.
  func finish(withSummary wantsSummary: @escaping @Sendable (ProgressCounts) -> Bool) async throws {
    try await worker.run { [self] in
      try writers.withLock { writers in
        for index in writers.indices { try writers[index].finish() }
      }
      progress.withLock { progress in
        show(progress.meter?.clear())
        guard wantsSummary(progress.counts) else { return }
        let summary = ProgressLine.summary(progress.counts, elapsedMilliseconds: elapsedMilliseconds)
        show(Array(Printable.lines("\(summary)\n").utf8))
      }
    }
  }

  /// Leaves a file of rows as it was before, because something went wrong.
  ///
  /// - Parameter keepingRows: Those so far cannot be printed again, so they are kept beside it.
  func breakOff(keepingRows: Bool) async {
    let kept = try? await worker.run { [self] in
      progress.withLock { show($0.meter?.clear()) }
      return writers.withLock { writers in
        writers.indices.compactMap { writers[$0].breakOff(keepingRows: keepingRows && $0 == 0) }.first
      }
    }
    if let kept { show("halyard: the rows so far are in \(Printable.text(kept))\n") }
  }

  private var elapsedMilliseconds: Int64 {
    (SystemTime.monotonicMicroseconds - startedAt) / 1_000
  }

  private func drawProgress(_ progress: inout Progress) {
    show(progress.meter?.redraw(progress.counts, elapsedMilliseconds: elapsedMilliseconds))
  }

  /// A failure to show progress must not lose rows.
  private func show(_ bytes: [UInt8]?) {
    if let bytes { try? writeAll(2, bytes) }
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
