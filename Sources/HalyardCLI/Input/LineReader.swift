internal import Posix

/// Cuts the pieces of an input into lines at LF; of a line over the limit only the beginning is kept.
struct LineReader {
  /// What a link may have, and so a line that is one.
  static let limit = 65_536

  struct Line {
    var bytes: ArraySlice<UInt8>
    /// Counted from 1.
    var number: Int
    var isTooLong: Bool
  }

  /// Bytes of a line without its LF.
  private let limit: Int
  private var chunk: [UInt8] = []
  private var position = 0
  /// The beginning of a line whose end is not there yet; one byte over the limit marks it as too long.
  private var carried: [UInt8] = []
  private var number = 0
  private var hasEnded = false

  init(limit: Int = Self.limit) {
    self.limit = limit
  }

  /// - Parameter chunk: nil at the end.
  mutating func take(_ chunk: [UInt8]?) {
    (self.chunk, position, hasEnded) = (chunk ?? [], 0, chunk == nil)
  }

  /// nil when it needs another piece.
  mutating func next() -> Line? {
    let end = chunk.span.firstIndex(of: UInt8(ascii: "\n"), from: position)
    if end < chunk.count {
      defer { position = end + 1 }
      return finish(chunk[position..<end])
    }
    carry(chunk[position...])
    position = chunk.count
    return hasEnded && !carried.isEmpty ? finish([]) : nil
  }

  private mutating func carry(_ piece: ArraySlice<UInt8>) {
    carried += piece.prefix(limit + 1 - carried.count)
  }

  private mutating func finish(_ piece: ArraySlice<UInt8>) -> Line {
    number += 1
    guard !carried.isEmpty else {
      return Line(bytes: piece, number: number, isTooLong: piece.count > limit)
    }
    carry(piece)
    let line = exchange(&carried, with: [])
    return Line(bytes: line[...], number: number, isTooLong: line.count > limit)
  }
}
