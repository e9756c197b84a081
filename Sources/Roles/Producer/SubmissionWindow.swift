/// How many jobs may be under way between a producer's input and its output.
///
/// Rows wait in memory when whoever reads them is slow, so large rows make the window smaller.
struct SubmissionWindow {
  /// What waiting rows may take, judged by the rows so far.
  static let budgetBytes = 64 << 20
  /// Enough to keep every fetcher busy.
  static let least = 512

  private let most: Int
  private var typicalRowBytes = 0

  init(most: Int) {
    self.most = most
  }

  var size: Int {
    min(most, max(Self.least, Self.budgetBytes / max(1, typicalRowBytes)))
  }

  /// Follows the largest rows at once, and forgets them slowly.
  mutating func arrived(rowOfBytes bytes: Int) {
    typicalRowBytes = max(bytes, typicalRowBytes - typicalRowBytes / 64)
  }
}
