import Posix

/// How far a submission is, on a line of a terminal.
final class SubmissionProgress: Sendable {
  private let meter: Lock<ProgressMeter?>
  private let startedAt = SystemTime.monotonicMicroseconds

  init(_ meter: ProgressMeter?) {
    self.meter = Lock(meter)
  }

  func show(_ submitted: UInt64, _ total: ProgressCounts.Total) {
    var counts = ProgressCounts()
    (counts.done, counts.total) = (Int(clamping: submitted), total)
    let elapsed = (SystemTime.monotonicMicroseconds - startedAt) / 1_000
    meter.withLock { meter in
      if let line = meter?.redraw(counts, elapsedMilliseconds: elapsed) { try? writeAll(2, line) }
    }
  }

  func show(_ text: String) {
    end()
    Message.show(text)
  }

  func end() {
    meter.withLock { meter in
      if let line = meter?.clear() { try? writeAll(2, line) }
    }
  }
}
