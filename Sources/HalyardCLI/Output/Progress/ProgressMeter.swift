/// Decides when the progress line is drawn and cleared; the caller writes the bytes to standard error.
struct ProgressMeter {
  private static let pauseMilliseconds: Int64 = 200
  private static let erase = "\r\u{1B}[K"

  private let width: Int
  private var lastDrawn: Int64?
  private var isVisible = false

  /// `width` counts the terminal's columns; the last one stays free, where some terminals would wrap.
  init(width: Int) {
    self.width = max(width - 1, 1)
  }

  /// What to write now; nil when a line is there that is younger than a fifth of a second.
  mutating func redraw(_ counts: ProgressCounts, elapsedMilliseconds: Int64) -> [UInt8]? {
    if let lastDrawn, elapsedMilliseconds - lastDrawn < Self.pauseMilliseconds { return nil }
    lastDrawn = elapsedMilliseconds
    isVisible = true
    let line = ProgressLine.render(counts, elapsedMilliseconds: elapsedMilliseconds, width: width)
    return Array("\(Self.erase)\(line)".utf8)
  }

  /// What to write before rows or other text go to the same terminal, and at the end; nil when there is no line.
  mutating func clear() -> [UInt8]? {
    guard isVisible else { return nil }
    isVisible = false
    lastDrawn = nil
    return Array(Self.erase.utf8)
  }
}
