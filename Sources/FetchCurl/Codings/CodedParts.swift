internal import Posix

/// The parts of a coded body, such as gzip's members: which one goes on or ends, and what follows the last one.
struct CodedParts {
  /// Any of the sequences that a part begins with; all of them are of one length.
  private let starts: [[UInt8]]
  /// The first bytes behind a complete part; nil in the middle of one.
  private var seen: [UInt8]?
  /// The rest of the body is ignored, because it is not a part.
  private(set) var isOver = false

  init(startingWith starts: [[UInt8]]) {
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
