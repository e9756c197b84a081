import Pipeline
import Posix

/// Rows to the user, and progress beside them; written on a thread of its own, because writing may block.
final class RowOutput: Sendable {
  private struct State {
    var writer: RowWriter
    var meter: ProgressMeter?
    var counts = ProgressCounts()
  }

  private let worker: BlockingWorker
  private let sharesTerminal: Bool
  private let state: Lock<State>
  private let startedAt = SystemTime.monotonicMicroseconds

  /// - Parameters:
  ///   - meter: nil when no progress is to be shown.
  ///   - sharesTerminal: Rows go to the terminal where the progress line stands.
  init(_ writer: sending RowWriter, meter: ProgressMeter? = nil, sharesTerminal: Bool = false) throws {
    self.sharesTerminal = sharesTerminal
    worker = try BlockingWorker(name: "output")
    state = Lock(State(writer: writer, meter: meter))
  }

  var counts: ProgressCounts { state.withLock { $0.counts } }

  /// Returns when the rows are written.
  func take(_ rows: [NumberedRow], total: ProgressCounts.Total = .unknown) async throws {
    try await worker.run { [self] in
      try state.withLock { state in
        if sharesTerminal { show(state.meter?.clear()) }
        for row in rows {
          state.counts.done += 1
          if let failure = row.failure { state.counts.failed[failure.rawValue, default: 0] += 1 }
          try state.writer.write(row.json)
        }
        try state.writer.flush()
        state.counts.total = total
        drawProgress(&state)
      }
    }
  }

  /// Keeps the progress line moving while no rows come.
  func tick() async throws {
    try await worker.run { [self] in state.withLock { drawProgress(&$0) } }
  }

  /// Writes what is left, and if wanted how it all went.
  func finish(withSummary: Bool) async throws {
    try await worker.run { [self] in
      try state.withLock { state in
        try state.writer.flush()
        show(state.meter?.clear())
        guard withSummary else { return }
        let summary = ProgressLine.summary(state.counts, elapsedMilliseconds: elapsedMilliseconds)
        show(Array("\(summary)\n".utf8))
      }
    }
  }

  private var elapsedMilliseconds: Int64 {
    (SystemTime.monotonicMicroseconds - startedAt) / 1_000
  }

  private func drawProgress(_ state: inout State) {
    show(state.meter?.redraw(state.counts, elapsedMilliseconds: elapsedMilliseconds))
  }

  /// Progress that nobody can see is no reason to lose rows.
  private func show(_ bytes: [UInt8]?) {
    if let bytes { try? writeAll(2, bytes) }
  }
}
