/// How many jobs may be under way between a producer's input and its output.
///
/// Rows wait in memory when their reader is slow. How large they are is not known before, so the window starts
/// small and widens with every row that was written; large rows make it narrow again.
struct SubmissionWindow {
  /// What waiting rows may take, judged by the rows so far.
  static let budgetBytes = 64 << 20

  private let most: Int
  private let start: Int
  private var written = 0
  private var typicalRowBytes = 0

  /// - Parameters:
  ///   - start: As many as can be under way at once, so that no worker is idle.
  init(start: Int, most: Int) {
    self.start = start
    self.most = most
  }

  var size: Int {
    max(1, min(most, start + written, Self.budgetBytes / max(1, typicalRowBytes)))
  }

  /// Follows the largest rows at once, and forgets them slowly.
  mutating func arrived(rowOfBytes bytes: Int) {
    typicalRowBytes = max(bytes, typicalRowBytes - typicalRowBytes / 64)
  }

  mutating func wrote(rows: Int) {
    written = min(most, written + rows)
  }
}
