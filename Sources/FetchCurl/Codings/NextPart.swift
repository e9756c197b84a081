internal import Curl

/// Whether a body of several parts goes on behind one of them: the first bytes there tell.
struct NextPart {
  /// Any of the sequences that a part begins with; all of them are of one length.
  private let starts: [[UInt8]]
  private var seen: [UInt8] = []

  init(startingWith starts: [[UInt8]]) {
    self.starts = starts
  }

  /// Whether another part has begun.
  var hasBegun: Bool { starts.contains(seen) }

  /// Looks at the next bytes behind the last part; more of them than a start takes count for nothing.
  mutating func take(_ bytes: Span<UInt8>) {
    seen.append(copying: bytes.extracting(first: starts[0].count - seen.count))
  }

  /// A part has come to its end.
  mutating func reset() {
    seen.removeAll(keepingCapacity: true)
  }
}
