internal import Posix

/// The parts of a coded body, gzip's members or Zstandard's frames: which one goes on or ends, and what follows the last one.
struct CodedParts {
  /// Any of the sequences that a part begins with; all of them are of one length.
  private let starts: [[UInt8]]
  /// The first bytes behind a complete part; nil in the middle of one.
  private var seen: [UInt8]?
  /// The rest of the body is ignored, because it is not a part.
  private(set) var isOver = false

  static let gzip = CodedParts(starts: [[0x1F, 0x8B, 0x08]])
  /// Frames, and those that are to be skipped.
  static let zstandard = CodedParts(
    starts: [[0x28, 0xB5, 0x2F, 0xFD]] + (0x50...0x5F).map { [$0, 0x2A, 0x4D, 0x18] })

  private init(starts: [[UInt8]]) {
    self.starts = starts
  }

  /// Whether the body may end here.
  var isFinished: Bool { seen != nil || isOver }

  /// Looks at bytes before they are decoded: they may begin another part.
  mutating func take(_ bytes: Span<UInt8>) {
    guard var seen else { return }
    seen.append(copying: bytes.extracting(first: starts[0].count - seen.count))
    self.seen = starts.contains(seen) ? nil : seen
  }

  mutating func ended() {
    seen = []
  }

  /// The bytes could not be decoded, which is a fault only in the middle of a part.
  mutating func failed() throws(CodingFault) {
    guard seen != nil else { throw .broken }
    isOver = true
  }
}
